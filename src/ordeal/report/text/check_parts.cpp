// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/text.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>

namespace ordeal::detail {

namespace {

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
        text += "      " + style.faint(replay_line(token->second, checked.accept)) + '\n';
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
        return text + violation_text(*checked.what, shown.result, shown.why, style, trace_detail::causes);
    }
    text += trace_text(*checked.what, shown.result, shown.why, style, trace_detail::all);
    text += "no violation in this execution\n";
    return text + fmt::format("  {}\n", replay_line(shown.token, checked.accept));
}

namespace {

std::string words_of(const site& of) {
    std::string text = fmt::format("{} {} {}", short_name(of), of.operation, to_string(of.declared));
    if (of.key.what == role::failure) text += " (failure)";
    return text;
}

template <class Range, class Words>
std::string joined(const Range& range, const Words& words) {
    std::string text;
    for (const auto& each : range) text += (text.empty() ? "" : ", ") + words(each);
    return text;
}

std::string lines(const std::string& text, std::size_t indent, std::size_t hanging) {
    std::string result;
    for (const std::string& line : wrapped(text, report_width - hanging)) {
        result += std::string(result.empty() ? indent : hanging, ' ') + line + '\n';
    }
    return result;
}

}  // namespace

std::string short_name(const site& of) { return fmt::format("{}:{}", of.function, of.key.line); }

std::string coverage_text(const checked_scenario& checked, const text_style& style) {
    auto sites = checked.result.sites;
    std::ranges::sort(sites, {}, [](const reached_site& each) { return each.where.key; });
    std::size_t pairs = 0;
    for (const reached_site& each : sites) pairs += each.writers.size();
    std::string text = '\n' + style.strong(escaped(checked.what->name)) +
                       fmt::format(": {} reached, {} between threads, in {}\n", counted(sites.size(), "site"),
                                   counted(pairs, "reads-from pair"), counted(checked.result.executions, "execution"));
    std::string file;
    for (const reached_site& each : sites) {
        if (each.where.key.file != file) text += "  " + style.faint(escaped(file = each.where.key.file)) + '\n';
        text += lines(words_of(each.where), 4, 8);
        auto writers = each.writers;
        std::ranges::sort(writers, {}, &site::key);
        if (!writers.empty()) text += lines("reads " + joined(writers, &short_name), 8, 10);
    }
    for (const atomic_states& atomic : checked.result.atomics) {
        if (!atomic.too_many) continue;
        text += fmt::format("  {} has more than {} values: it is in no state chart\n", atomic.name, most_states);
    }
    return text;
}

std::string chart_text(const state_chart& chart, const text_style& style) {
    std::string text = '\n' +
                       style.strong("States in " + escaped(joined(chart.files, [](const auto& f) { return f; }))) +
                       fmt::format(", over {} of {}, {}\n", counted(chart.scenarios.size(), "scenario"),
                                   escaped(chart.subject), chart.complete ? "all executions" : "not all executions");
    std::vector<std::string> headings{"from \\ to"};
    headings.insert(headings.end(), chart.states.begin(), chart.states.end());
    text_table table(headings);
    for (const std::string& from : chart.states) {
        std::vector<table_cell> row{{from}};
        for (const std::string& to : chart.states) {
            const auto cell = chart.transitions.find({from, to});
            row.push_back({cell == chart.transitions.end() ? "-" : joined(cell->second, [](const auto& each) {
                return fmt::format("{} ({})", short_name(each.by), each.times);
            })});
        }
        table.add(std::move(row));
    }
    text += table.text(style);
    for (const std::string& state : chart.states) {
        const auto observers = chart.observers.find(state);
        if (observers == chart.observers.end()) continue;
        text += lines(state + " is seen by another thread at " + joined(observers->second, &short_name), 0, 2);
    }
    text_table paths({">times", "states of one atomic, in coherence order"});
    for (const auto& [path, times] : chart.paths) paths.add({{std::to_string(times)}, {path}});
    if (chart.other > 0) paths.add({{std::to_string(chart.other)}, {"others"}});
    return text + paths.text(style);
}

}  // namespace ordeal::detail
