// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/limit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace ordeal {

namespace {

constexpr std::array<std::string_view, 6> names{"assumes", "general", "bounds", "hides", "adds", "unseen"};

}  // namespace

std::string_view to_string(limit_effect value) noexcept { return names[static_cast<std::size_t>(value)]; }

std::optional<limit_effect> parse_limit_effect(std::string_view text) noexcept {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<limit_effect>(found - names.begin());
}

bool leave_anything_out(const std::vector<limit>& limits) {
    return std::ranges::any_of(limits, [](const limit& each) { return each.effect != limit_effect::assumes; });
}

void keep_those_of_a_violation(std::vector<limit>& limits) {
    std::erase_if(limits, [](const limit& each) { return !may_raise_false_alarms(each); });
}

limit cut_short_after(std::uint64_t executions, std::string_view why) {
    const std::string number = std::to_string(executions);
    return {"cut-short",
            "the search was ended after " + number + " executions" + std::string(why),
            limit_effect::bounds,
            {{"executions", number}}};
}

limit random_executions(std::uint64_t executions, std::uint64_t seed) {
    const std::string number = std::to_string(executions);
    const std::string from = std::to_string(seed);
    return {"random",
            number + " random executions, seed " + from,
            limit_effect::bounds,
            {{"executions", number}, {"seed", from}}};
}

limit at_most_preemptions(std::uint64_t most) {
    const std::string number = std::to_string(most);
    return {"preemptions",
            "every execution with at most " + number + " preemptions",
            limit_effect::bounds,
            {{"most", number}}};
}

std::vector<std::string> sentences_of(const std::vector<limit>& limits) {
    std::vector<std::string> result;
    std::ranges::transform(limits, std::back_inserter(result), &limit::sentence);
    return result;
}

}  // namespace ordeal
