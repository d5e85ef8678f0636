// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/client_behaviours.hpp"

#include "ordeal/scenario/client_outcomes.hpp"
#include "ordeal/scenario/client_programs.hpp"

namespace ordeal::detail {

std::optional<client_behaviours> behaviours_of(const checked_scenario& checked) {
    const client_of_set* const client = place_of_client(checked.what->name).client;
    if (client == nullptr || checked.result.verdict != verdict::held || !checked.result.complete) return std::nullopt;
    const auto specified = specified_outcomes(*client);
    if (!specified) return std::nullopt;
    client_behaviours result{.specified = specified->size(), .not_shown = {}};
    for (const std::string& each : *specified) {
        if (!checked.result.outcomes.contains(each)) result.not_shown.push_back(each);
    }
    for (const auto& [outcome, executions] : checked.result.outcomes) {
        result.some_call_failed |= !specified->contains(outcome);
    }
    return result;
}

}  // namespace ordeal::detail
