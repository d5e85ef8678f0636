// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

std::string search_argument(const search_options& how) {
    switch (how.strategy.mode) {
        case search_mode::automatic: break;
        case search_mode::full: return "full";
        case search_mode::preemptions: return fmt::format("preemptions={}", how.strategy.bound);
        case search_mode::random: return fmt::format("random={}", how.strategy.bound);
        case search_mode::pct: return fmt::format("pct={},{}", how.strategy.bound, how.strategy.depth);
        case search_mode::pos: return fmt::format("pos={}", how.strategy.bound);
        case search_mode::surw: return fmt::format("surw={}", how.strategy.bound);
    }
    return "auto";
}

std::optional<std::uint64_t> seed_of(const search_options& how) {
    return is_random(how.strategy.mode) ? std::optional(how.strategy.seed) : std::nullopt;
}

std::string budget_words(const search_options& how) {
    return how.resources.seconds > 0 ? fmt::format("time budget of {:g} s", how.resources.seconds) : "no time budget";
}

search_facts facts_of(const search_result& result, const search_options& how) {
    search_facts facts{{"executions", std::to_string(result.executions)},
                       {"blocked", std::to_string(result.blocked)},
                       {"complete", result.complete ? "true" : "false"},
                       {"search", search_argument(how)}};
    if (const auto seed = seed_of(how)) facts.emplace_back("seed", std::to_string(*seed));
    facts.emplace_back("time-budget", how.resources.seconds > 0 ? fmt::format("{:g}", how.resources.seconds) : "none");
    for (const limit& each : result.limits) facts.emplace_back("limit." + each.id, each.sentence);
    return facts;
}

bool was_cut_short(const search_result& result) {
    if (result.complete || result.stopped || result.verdict == verdict::violated) return false;
    if (result.verdict != verdict::inconclusive) return true;
    return std::ranges::any_of(result.limits, [](const limit& each) { return each.id == "cut-short"; });
}

}  // namespace ordeal::detail
