// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/facts.hpp"

#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/trace_layout.hpp"

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

named_values facts_of(const search_result& result, const search_options& how) {
    named_values facts{{"executions", std::to_string(result.executions)},
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

std::string limit_notes::marks(const std::vector<limit>& limits) {
    std::string result;
    for (const limit& each : limits) {
        auto found = std::find(seen_.begin(), seen_.end(), each.sentence);
        if (found == seen_.end()) found = seen_.insert(seen_.end(), each.sentence);
        const std::string mark = fmt::format("[{}]", found - seen_.begin() + 1);
        // Searches that share a row may share a limit.
        if (result.find(mark) == std::string::npos) result += mark;
    }
    return result;
}

std::string limit_notes::text(std::string_view heading) const {
    if (seen_.empty()) return {};
    std::string result = std::string(heading) + '\n';
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        std::string label = fmt::format("[{}]", i + 1);
        for (const std::string& line : wrapped(seen_[i], report_width - 6)) {
            result += fmt::format("{:<5} {}\n", label, line);
            label.clear();
        }
    }
    return result;
}

std::string limit_lines(const std::vector<limit>& limits) {
    std::string text;
    for (const limit& each : limits) text += each.sentence + '\n';
    return text;
}

std::string unchecked_lines(const std::vector<limit>& limits, const text_style& style) {
    std::vector<std::string> shown;
    std::string text;
    for (const std::string& each : unchecked_code(limits)) {
        if (std::ranges::find(shown, each) != shown.end()) continue;
        shown.push_back(each);
        text += style.bad(escaped(each)) + '\n';
    }
    return text.empty() ? text : text + '\n';
}

std::string limit_clauses(const std::vector<limit>& limits) {
    std::string text;
    for (const limit& each : limits) text += ". Limit: " + each.sentence;
    return text;
}

}  // namespace ordeal::detail
