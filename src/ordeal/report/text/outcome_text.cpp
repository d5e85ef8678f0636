// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/outcome_text.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/replay_line.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ordeal {

namespace {

using detail::counted;

std::string name_of(const std::string& outcome) {
    return outcome.empty() ? "(no outcome)" : escaped(cut_short(outcome));
}

}  // namespace

std::string outcome_text(const checked_scenario& checked, const text_style& style) {
    const search_result& result = checked.result;
    const outcome_examples& examples = result.examples;
    std::string text =
        '\n' + style.strong(escaped(checked.what->name)) +
        fmt::format(": {} in {}\n", counted(std::max(result.outcomes.size(), examples.size()), "outcome"),
                    counted(result.executions, "execution"));
    std::size_t widest = 0;
    for (const auto& [outcome, example] : examples) widest = std::max(widest, name_of(outcome).size());
    std::size_t number = 0;
    std::uint64_t told = 0;
    for (const auto& [outcome, example] : examples) {
        text += fmt::format("{:>4}. {:<{}}  {}\n", ++number, name_of(outcome), widest,
                            counted(example.executions, "execution"));
        told += example.executions;
        const auto token = checked.example_tokens.find(outcome);
        if (token == checked.example_tokens.end()) continue;
        text += "      " + style.faint(detail::replay_line(token->second, checked.accept)) + '\n';
    }
    const std::size_t kept = examples.size() - examples.count("");
    if (result.outcomes.size() > kept) {
        for (const auto& [outcome, executions] : result.outcomes) told += examples.contains(outcome) ? 0 : executions;
        text += fmt::format("      {} more, without an example: those of the first {} are kept\n",
                            counted(result.outcomes.size() - kept, "outcome"), most_outcome_examples);
    }
    if (result.executions > told) {
        text += fmt::format("      {} came to no outcome\n", counted(result.executions - told, "execution"));
    }
    return text;
}

std::string example_text(const checked_scenario& checked, const text_style& style) {
    if (!checked.example) return {};
    const shown_example& shown = *checked.example;
    std::string text = '\n' +
                       style.strong(fmt::format("{}: an execution with the outcome {}", escaped(checked.what->name),
                                                name_of(shown.outcome))) +
                       '\n';
    if (shown.result.verdict == verdict::violated) {
        return text + violation_text(*checked.what, shown.result, style, trace_detail::causes);
    }
    const explanation why = explain(*checked.what, shown.result);
    text += trace_text(*checked.what, shown.result, why, style, trace_detail::all);
    text += "no violation in this execution\n";
    return text + fmt::format("  {}\n", detail::replay_line(shown.token, checked.accept));
}

}  // namespace ordeal
