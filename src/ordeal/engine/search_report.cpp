// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace ordeal {

void describe_sites(const std::vector<std::uint8_t>& marks, search_result& result) {
    for (site_id id = 1; id < sites().size() && id < marks.size(); ++id) {
        if ((marks[id] & site_was_reached) == 0 || !sites().at(id).atomic) continue;
        result.sites.push_back({sites().at(id), (marks[id] & site_was_crossed) != 0});
    }
    std::string unmatched;
    for (const order_override& lost : sites().unmatched()) {
        unmatched += (unmatched.empty() ? "" : ", ") + to_string(lost);
    }
    if (unmatched.empty() || result.verdict == verdict::violated || result.verdict == verdict::inconclusive) return;
    result.verdict = verdict::inconclusive;
    result.message = "no execution reached the site of the override " + unmatched;
}

trace shortened(const trace& whole) {
    constexpr std::ptrdiff_t kept = 60;
    const auto size = static_cast<std::ptrdiff_t>(whole.size());
    if (size <= 2 * kept + 1) return whole;
    trace result(whole.begin(), whole.begin() + kept);
    trace_step gap;
    gap.index = whole[kept].index;
    gap.operation = std::to_string(size - 2 * kept) + " steps left out";
    result.push_back(std::move(gap));
    result.insert(result.end(), whole.end() - kept, whole.end());
    return result;
}

}  // namespace ordeal
