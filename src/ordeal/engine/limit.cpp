// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/limit.hpp"

#include "ordeal/engine/engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>

namespace ordeal::detail {

std::string with_commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, ",");
    return text;
}

namespace {

constexpr std::array<std::string_view, 6> effect_names{"assumes", "general", "bounds", "hides", "adds", "unseen"};

// Not by a formatting library: this is also linked with real threads, and ThreadSanitizer would not see into it.
std::string text_of(const char* form, double value) {
    std::array<char, 400> buffer{};  // fits every double
    (void)std::snprintf(buffer.data(), buffer.size(), form, value);
    return buffer.data();
}

// "12345", and from a million on "5.0e6".
std::string shortest(double value) {
    if (value < 999'999.5) return text_of("%.0f", value);
    const std::string text = text_of("%.1e", value);  // "5.0e+06"
    const std::size_t mantissa_end = text.find('e') + 1;
    return text.substr(0, mantissa_end) + std::to_string(std::stoi(text.substr(mantissa_end)));
}

// A search may have more executions than estimated; then no share is given.
void add_estimate(const unfinished_search& what, limit& into) {
    const double share = static_cast<double>(what.executions) / what.expected;
    const std::string about = shortest(what.expected);
    std::string error;
    if (what.expected_error > 0) error = " \u00b1 " + text_of("%.0f %%", 100 * what.expected_error / what.expected);
    into.parameters["estimate"] = text_of("%.3g", what.expected);
    into.parameters["estimate_error"] = text_of("%.3g", what.expected_error);
    if (share < 1) {
        into.sentence += ": about " + text_of("%.2g", 100 * share) + " % of an estimated " + about + error;
        into.parameters["share"] = text_of("%.3g", share);
    } else {
        into.sentence += ": no fewer than the " + about + error + " that were estimated, and there are more";
    }
}

// Whether the search was still finding new pairs.
void add_pairs(const unfinished_search& what, limit& into) {
    const std::string pairs = std::to_string(what.pairs);
    const std::string after = std::to_string(what.newest_pair_after);
    into.sentence += "; " + pairs + (what.pairs == 1 ? " reads-from pair" : " reads-from pairs") +
                     (what.pairs == 1 ? ", seen after " : ", the last new one after ") + after +
                     (what.newest_pair_after == 1 ? " execution" : " executions");
    into.parameters["pairs"] = pairs;
    into.parameters["newest_pair_after"] = after;
}

}  // namespace

std::string_view to_string(limit_effect value) noexcept { return effect_names[static_cast<std::size_t>(value)]; }

std::optional<limit_effect> parse_limit_effect(std::string_view text) noexcept {
    const auto found = std::ranges::find(effect_names, text);
    if (found == effect_names.end()) return std::nullopt;
    return static_cast<limit_effect>(found - effect_names.begin());
}

bool leave_anything_out(const std::vector<limit>& limits) {
    return std::ranges::any_of(limits, [](const limit& each) { return each.effect != limit_effect::assumes; });
}

void keep_those_of_a_violation(std::vector<limit>& limits) {
    std::erase_if(limits, [](const limit& each) { return !may_raise_false_alarms(each); });
}

namespace {

// "12345 random executions, about 6000 of them different, seed 7"
std::string drawn(std::string text, std::uint64_t executions, std::uint64_t different, std::uint64_t seed) {
    if (different > 0 && different < executions)
        text += ", about " + shortest(static_cast<double>(different)) + " of them different";
    return text + ", seed " + std::to_string(seed) + ": no violation";
}

std::map<std::string, std::string> parameters_of(std::uint64_t executions, std::uint64_t different,
                                                 std::uint64_t seed) {
    std::map<std::string, std::string> result;
    result["executions"] = std::to_string(executions);
    if (different > 0) result["different"] = std::to_string(different);
    result["seed"] = std::to_string(seed);
    return result;
}

}  // namespace

limit tried_sampling(const portfolio_result& how) {
    const auto words = [&](const char* what) {
        return drawn("portfolio: " + std::to_string(how.executions) + what, how.executions, how.different, how.seed);
    };
    auto parameters = parameters_of(how.executions, how.different, how.seed);
    if (how.mode == search_mode::pos) {
        return {"tried-pos", words(" executions by partial order sampling"), limit_effect::bounds,
                std::move(parameters)};
    }
    return {"tried-surw", words(" executions that are uniform at one location each"), limit_effect::bounds,
            std::move(parameters)};
}

namespace {

std::string within(const std::string& bound, std::uint64_t executions, bool complete) {
    const std::string counted = std::to_string(executions) + (executions == 1 ? " execution" : " executions");
    return complete ? "portfolio: all executions " + bound + ": no violation (" + counted + ")"
                    : "portfolio: " + counted + " " + bound + ", not all: no violation";
}

std::map<std::string, std::string> parameters_of_bound(std::uint64_t most, std::uint64_t executions, bool complete) {
    std::map<std::string, std::string> result;
    result["most"] = std::to_string(most);
    result["executions"] = std::to_string(executions);
    result["complete"] = complete ? "true" : "false";
    return result;
}

}  // namespace

limit tried_preemptions(std::uint64_t most, std::uint64_t executions, bool complete) {
    const std::string bound = "with at most " + std::to_string(most) + (most == 1 ? " preemption" : " preemptions");
    return {"tried-preemptions", within(bound, executions, complete), limit_effect::bounds,
            parameters_of_bound(most, executions, complete)};
}

limit tried_spurious_failures(std::uint64_t most, std::uint64_t executions, bool complete) {
    std::string bound = "without spurious failures and reuse of freed memory";
    if (most > 0) {
        const std::string number = std::to_string(most);
        bound = "with at most " + number + (most == 1 ? " spurious failure" : " spurious failures") +
                " of each thread and " + number + (most == 1 ? " reuse" : " reuses") + " of freed memory";
    }
    return {"tried-spurious-failures", within(bound, executions, complete), limit_effect::bounds,
            parameters_of_bound(most, executions, complete)};
}

limit cut_short_after(const unfinished_search& what) {
    const std::string number = std::to_string(what.executions);
    const char* const ended = what.executions == 1 ? " execution" : " executions";
    limit result{"cut-short", "the search was ended after " + number + ended, limit_effect::bounds};
    result.parameters = {{"executions", number}};
    if (what.seconds > 0) {
        const std::string seconds = text_of("%g", what.seconds);
        result.sentence += ", when its " + seconds + " s were over";
        result.parameters["seconds"] = seconds;
    }
    if (what.of > 0) {
        result.sentence += "; " + std::to_string(what.of) + " were asked for";
        result.parameters["of"] = std::to_string(what.of);
    } else if (what.expected > 0 && std::isfinite(what.expected)) {
        add_estimate(what, result);
    }
    if (what.pairs > 0) add_pairs(what, result);
    return result;
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

}  // namespace ordeal::detail
