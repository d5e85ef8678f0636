// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/processors/allowance.hpp"

#include "ordeal/processors/processor_models.hpp"

#include <algorithm>

namespace ordeal::detail::processors {

allowance allowance_of(target which, const std::vector<source_event>& execution) {
    const std::vector<machine_event> compiled = compile(which, execution);
    if (!allows(which, compiled, dependencies::none)) return allowance::forbidden;
    return allows(which, compiled, dependencies::all) ? allowance::allowed : allowance::unless_dependent;
}

std::optional<allowances> allowances_of(const std::vector<source_event>& execution) {
    constexpr std::size_t most_events = 256;  // the models take time with the cube
    if (execution.size() > most_events) return std::nullopt;
    allowances result{};
    std::ranges::transform(all_targets, result.begin(), [&](target each) { return allowance_of(each, execution); });
    return result;
}

}  // namespace ordeal::detail::processors
