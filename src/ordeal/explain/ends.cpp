// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation_parts.hpp"

namespace ordeal::detail {

namespace {

// The latest step before `end` that `wanted` accepts.
template <class Wanted>
std::optional<std::size_t> newest(std::size_t end, Wanted wanted) {
    for (std::size_t i = end; i-- > 0;) {
        if (wanted(i)) return i;
    }
    return std::nullopt;
}

// Whether the step allocates a block that is never freed.
bool leaks(const trace_relations& steps, std::size_t allocation) {
    if (steps[allocation].kind() != step_kind::allocate) return false;
    for (std::size_t i = allocation + 1; i < steps.size(); ++i) {
        if (steps[i].kind() == step_kind::free && steps.overlap(i, allocation)) return false;
    }
    return true;
}

}  // namespace

violation_ends ends_of(const trace_relations& steps, violation_kind kind) {
    violation_ends result;
    result.second = newest(steps.size(), [&](std::size_t i) { return steps[i].is_violation(); });
    if (kind == violation_kind::leak)
        result.first = newest(steps.size(), [&](std::size_t i) { return leaks(steps, i); });
    if (!result.second || steps[*result.second].size == 0) return result;
    const std::size_t last = *result.second;
    // What a precondition forbids is no race.
    const bool of_operation = kind == violation_kind::precondition;
    const auto races = [&](std::size_t i) {
        return !of_operation && steps.conflict(i, last) && !steps.happens_before(i, last);
    };
    result.first = newest(last, [&](std::size_t i) { return races(i) && steps[i].object == steps[last].object; });
    if (!result.first) result.first = newest(last, races);
    result.unordered = result.first.has_value();
    result.first_ends_life = result.first && steps[*result.first].ends_life();
    if (result.first) return result;
    const bool on_free = steps[last].where.operation == "free";
    const auto ends_it = [&](std::size_t i) { return steps[i].ends_life() && steps.overlap(i, last); };
    result.first = newest(last, [&](std::size_t i) { return ends_it(i) && steps[i].object == steps[last].object; });
    if (!result.first) result.first = newest(last, ends_it);
    if (!result.first && (!of_operation || on_free))
        result.first = newest(last, [&](std::size_t i) { return steps.overlap(i, last); });
    return result;
}

}  // namespace ordeal::detail
