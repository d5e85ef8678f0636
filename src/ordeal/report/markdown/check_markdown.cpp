// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/markdown/markdown.hpp"
#include "ordeal/report/markdown/markdown_parts.hpp"
#include "ordeal/report/replay_line.hpp"
#include "ordeal/report/search_facts.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ordeal {

namespace {

using detail::code;
using detail::plain;

std::string expectation_words(const checked_scenario& checked) {
    if (checked.as_expected) return "as expected";
    if (leaves_code_unchecked(checked.result)) return "**not checked**";
    return fmt::format("**expected {}**{}", words(checked.what->expected), checked.explained ? ", explained" : "");
}

std::string table(const check_report& report) {
    std::string text = detail::heading({"scenario", "engine", "verdict", "", "executions", "blocked"});
    for (const checked_scenario& checked : report.scenarios) {
        const search_result& result = checked.result;
        text += detail::row({code(checked.what->name),
                             plain(checked.engine) + plain(detail::memory_model_suffix(checked.model)), words(result),
                             expectation_words(checked), std::to_string(result.executions),
                             std::to_string(result.blocked)});
    }
    return '\n' + text;
}

std::string violation(const checked_scenario& checked) {
    const search_result& result = checked.result;
    const explanation why = explain(*checked.what, result);
    std::string text;
    if (!result.message.empty()) text += plain(cut_short(result.message)) + "\n";
    for (const std::string& each : why.conclusion) text += (text.empty() ? "" : "\n") + plain(each) + '\n';
    if (result.models) text += '\n' + plain(words(*result.models)) + '\n';
    const std::string trace = trace_text(*checked.what, result, why, text_style(), trace_detail::causes);
    if (!trace.empty()) text += '\n' + detail::collapsed("Trace", detail::fenced(trace, "text"));
    return text;
}

// What a verdict that is not *held* has to say: why, how to see it, on what it rests.
std::string section(const checked_scenario& checked) {
    const search_result& result = checked.result;
    const bool violated = result.verdict == verdict::violated;
    std::string text = fmt::format("\n## {}: {}\n\n", plain(checked.what->name), words(result));
    if (violated) {
        text += violation(checked);
    } else if (!result.message.empty()) {
        text += plain(cut_short(result.message)) + "\n";
    }
    if (const std::string again = detail::replay_line(checked); !again.empty()) {
        text += '\n' + detail::fenced(again, "sh");
    }
    if (!result.limits.empty() && !text.ends_with("\n\n")) text += '\n';
    for (const limit& each : result.limits) text += fmt::format("- limit: {}\n", plain(each.sentence));
    return text;
}

std::string how_it_was_searched(const check_report& report) {
    std::string text = fmt::format("Search: {}", detail::search_argument(report.how));
    if (const auto seed = detail::seed_of(report.how)) text += fmt::format(", seed {}", *seed);
    return text + fmt::format(", {}.\n", detail::budget_words(report.how));
}

std::string comparisons(const check_report& report) {
    std::string text;
    for (const comparison& made : report.comparisons) {
        if (made.verdict == agreement::agree && made.explained_by.empty()) continue;
        text += fmt::format("- {}: {}: {}\n", code(made.what->name), to_string(made.verdict), plain(made.message));
    }
    return text.empty() ? text : "\n## Engines compared\n\n" + text;
}

std::string points(std::string_view title, const std::vector<shortfall>& values) {
    std::string text = fmt::format("\n## {}\n\n", title);
    if (values.empty()) text += "Nothing.\n";
    for (const shortfall& each : values) text += fmt::format("- {}\n", plain(detail::words(each)));
    return text;
}

std::string conclusion(const check_report& report) {
    if (report.scenarios.empty()) return "**Nothing ran.**\n";
    const std::size_t failed = report.unexpected() + report.count(agreement::failed);
    std::string text = detail::counted(report.scenarios.size(), "search");
    if (report.scenarios.size() != 1) text = fmt::format("{} searches", report.scenarios.size());
    text += failed == 0 ? ", all as expected" : fmt::format(", **{} not as expected**", failed);
    if (report.stopped_early) {
        text += fmt::format("; **stopped early: {} not begun**", detail::counted(report.not_begun, "scenario"));
    }
    text += ".\n";
    const std::string cut = detail::cut_short_words(cut_short_of(report), report.how, report.require_complete);
    return cut.empty() ? text : text + "\n**" + plain(cut) + "**\n";
}

}  // namespace

std::string check_markdown(const check_report& report) {
    std::string text = "# Scenarios\n\n" + conclusion(report) + '\n' + how_it_was_searched(report);
    if (!report.scenarios.empty()) text += table(report);
    for (const checked_scenario& each : report.scenarios) {
        if (each.result.verdict != verdict::held || !each.result.limits.empty()) text += section(each);
    }
    text += comparisons(report);
    return report.strict ? text + points("Not decided for every execution", *report.strict) : text;
}

}  // namespace ordeal
