// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation_parts.hpp"

namespace ordeal::detail {

namespace {

// The update that the write `replacing` lost: what it replaced was written by another thread after its own thread had
// read, and that thread read nothing newer.
std::optional<lost_update> lost_by(const trace_relations& steps, std::size_t replacing) {
    const auto lost = steps.overwritten_by(replacing);
    const auto read = steps.before_at_same_bytes(replacing);
    if (!lost || !read || steps[*lost].thread < 0 || steps.source_of(replacing)) return std::nullopt;
    if (steps[*read].access != step_access::read || steps.source_of(*read) == *lost || *read > *lost)
        return std::nullopt;
    return lost_update{*read, *lost, replacing};
}

}  // namespace

std::optional<lost_update> lost_update_before(const trace_relations& steps, const std::vector<std::size_t>& reads) {
    for (const std::size_t each : reads) {
        for (std::size_t i = each; i-- > 0;) {
            if (steps[i].access != step_access::write || steps[i].thread < 0 || !steps.overlap(i, each)) continue;
            if (const auto found = lost_by(steps, i)) return found;
        }
    }
    return std::nullopt;
}

}  // namespace ordeal::detail
