// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/client_groups.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/text.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ordeal::detail {

namespace {

tone tone_of(const checked_scenario& checked) {
    if (!checked.as_expected) return checked.explained ? tone::doubtful : tone::bad;
    return checked.result.verdict == verdict::held_within ? tone::doubtful : tone::good;
}

table_cell expectation_cell(const checked_scenario& checked) {
    if (checked.as_expected) return {"as expected", tone::faint};
    if (leaves_code_unchecked(checked.result)) return {"not checked", tone_of(checked)};
    return {"expected " + words(checked.what->expected) + (checked.explained ? ", explained" : ""), tone_of(checked)};
}

std::vector<limit> limits_with(std::string_view id, const checked_scenario& of) {
    std::vector<limit> result;
    std::ranges::copy_if(of.result.limits, std::back_inserter(result),
                         [&](const limit& each) { return each.id == id; });
    return result;
}

// Of clients that share a row: the limits of a kind are those of the first client that has some. Others may have such
// limits that name something else.
std::vector<limit> limits_of(const table_row<checked_scenario>& row) {
    std::vector<limit> limits;
    for (const checked_scenario* const first : row.entries) {
        for (const limit& found : first->result.limits) {
            if (std::ranges::find(limits, found.id, &limit::id) != limits.end()) continue;
            const std::vector<limit> shown = limits_with(found.id, *first);
            const auto is_shown = [&](const limit& one) {
                return std::ranges::find(shown, one.sentence, &limit::sentence) != shown.end();
            };
            const auto others = std::ranges::count_if(row.entries, [&](const checked_scenario* each) {
                return !std::ranges::all_of(limits_with(found.id, *each), is_shown);
            });
            limits.insert(limits.end(), shown.begin(), shown.end());
            if (others == 0) continue;
            limits.back().sentence +=
                fmt::format("; likewise in {}", counted(static_cast<std::size_t>(others), "other client"));
        }
    }
    return limits;
}

std::string table(const check_report& report, limit_notes& notes, const text_style& style) {
    // Few searches leave executions blocked.
    const bool blocked =
        std::ranges::any_of(report.scenarios, [](const auto& each) { return each.result.blocked > 0; });
    std::vector<std::string> headings{"scenario", "engine", "verdict", "", ">executions"};
    if (blocked) headings.emplace_back(">blocked");
    headings.emplace_back(">seconds");
    text_table table(headings);
    for (const table_row<checked_scenario>& row : rows_of(report.scenarios)) {
        const checked_scenario& checked = *row.entries.front();
        std::uint64_t executions = 0;
        std::uint64_t blocked_executions = 0;
        double seconds = 0;
        for (const checked_scenario* const each : row.entries) {
            executions += each->result.executions;
            blocked_executions += each->result.blocked;
            seconds += each->result.seconds;
        }
        std::string shown = words(checked.result) + ' ' + notes.marks(limits_of(row));
        while (shown.ends_with(' ')) shown.pop_back();
        std::vector<table_cell> cells{{row.name},
                                      {checked.engine, tone::faint},
                                      {shown, tone_of(checked)},
                                      expectation_cell(checked),
                                      {std::to_string(executions)}};
        if (blocked) cells.push_back({std::to_string(blocked_executions)});
        cells.push_back({fmt::format("{:.2f}", seconds)});
        table.add(std::move(cells));
    }
    return table.text(style);
}

std::string again(const checked_scenario& checked) {
    const std::string line = replay_line(checked);
    return line.empty() ? line : "  " + escaped(line) + '\n';
}

// Other scenarios may need more, and there may be other repairs: the audit knows, and makes a patch.
std::string repair_text(const checked_scenario& checked) {
    if (!checked.repair) return {};
    const std::string line =
        fmt::format("repair: {}; with this change all executions of the scenario hold", words_of(*checked.repair));
    const std::string next = fmt::format("{} audit {} --fix", called_as(), shell_word(checked.what->subject));
    return indented(line, 2) + "  " + escaped(next) + '\n';
}

// Of a client that no declared size has.
std::string regression_text(const checked_scenario& checked) {
    const client_set* const set = place_of_client(checked.what->name).set;
    if (set == nullptr || set->as_declared || checked.result.verdict != verdict::violated) return {};
    return indented(fmt::format("kept as a test by clients.client(\"{}\"), in the ORDEAL_CLIENTS of {}",
                                checked.what->name.substr(set->name.size() + 1), set->name),
                    2);
}

// What a violated or an inconclusive scenario says below the table.
std::string detail_text(const checked_scenario& checked, const text_options& options) {
    const search_result& result = checked.result;
    std::string text = '\n' + options.style.strong(escaped(checked.what->name)) + '\n';
    const bool show_trace = result.verdict == verdict::violated && (options.all_traces || !checked.as_expected);
    if (show_trace) {
        text += violation_text(*checked.what, result, checked.why, options.style,
                               options.all_steps ? trace_detail::all : trace_detail::causes);
    } else {
        const std::string line = words(result) + (result.message.empty() ? "" : ": " + cut_short(result.message));
        text += indented(line, 2);
        if (result.models) text += indented(words(*result.models), 2);
    }
    return text + repair_text(checked) + again(checked) + regression_text(checked);
}

// Those that agree in everything are only counted.
std::string comparisons(const check_report& report, limit_notes& notes, const text_style& style) {
    if (report.comparisons.empty()) return {};
    std::string text = fmt::format("\nEngines compared: {} agree, {} explained, {} not comparable, {} failed.\n",
                                   report.count(agreement::agree), report.count(agreement::explained),
                                   report.count(agreement::not_comparable), report.count(agreement::failed));
    for (const comparison& made : report.comparisons) {
        if (made.verdict == agreement::agree && made.explained_by.empty()) continue;
        const std::string marks = notes.marks(made.explained_by);
        const std::string line = fmt::format("{}: {}: {}{}{}", made.what->name, to_string(made.verdict), made.message,
                                             marks.empty() ? "" : " ", marks);
        for (const std::string& part : wrapped(line, report_width - 2)) {
            text += "  " + (made.verdict == agreement::failed ? style.bad(part) : part) + '\n';
        }
    }
    return text;
}

std::string stopped_early(const check_report& report, const text_style& style) {
    return style.bad(fmt::format("Stopped early: {} not begun.", counted(report.not_begun, "scenario")));
}

// How many of each verdict.
std::string counts_text(const check_report& report) {
    const auto count = [&](verdict wanted) {
        return std::ranges::count(report.scenarios, wanted, [](const auto& each) { return each.result.verdict; });
    };
    const auto held = count(verdict::held);
    return fmt::format("Searches: {}. {} held{}, {} held within limits, {} violated, {} inconclusive; {:.1f} s.\n",
                       report.scenarios.size(), held, held > 0 ? ", load buffering included" : "",
                       count(verdict::held_within), count(verdict::violated), count(verdict::inconclusive),
                       report.seconds);
}

// Of a search that is not the usual one.
std::string search_text(const search_options& how) {
    if (const auto seed = seed_of(how)) return fmt::format("Search: {}, seed {}.\n", search_argument(how), *seed);
    if (how.strategy.mode != search_mode::automatic) return fmt::format("Search: {}.\n", search_argument(how));
    return {};
}

std::string nothing_ran(const check_report& report, const text_style& style) {
    if (report.stopped_early) return stopped_early(report, style) + '\n' + style.bad("Nothing ran.") + '\n';
    constexpr std::string_view nothing =
        "Nothing ran: this program has no scenario. A trial is void trial(), or ORDEAL_TRIAL(\"name\") { ... }; "
        "a suite of Relacy is one if there is an rl::simulate() of it.";
    return style.bad(nothing) + '\n';
}

// Whether it went as expected, and what was cut short.
std::string judgement_text(const check_report& report, const text_style& style) {
    std::string text;
    const std::size_t unexpected = report.unexpected();
    const std::size_t failed = report.count(agreement::failed);
    const std::vector<shortfall> cut = cut_short_of(report);
    if (report.stopped_early) {
        text += stopped_early(report, style) + (unexpected + failed > 0 ? "\n" : "");
    } else if (unexpected + failed == 0) {
        // As far as was searched: nobody is to take that for all there is.
        text += cut.empty() ? style.good("All as expected.") : style.doubtful("All as expected.");
    }
    if (unexpected > 0) text += style.bad(fmt::format("{} not as expected.", unexpected));
    if (failed > 0) {
        text += (unexpected > 0 ? " " : "") +
                style.bad(fmt::format("The engines disagree on {}.", counted(failed, "scenario")));
    }
    const std::string words = cut_short_words(cut, report.how, report.require_complete);
    if (!words.empty()) text += ' ' + (report.require_complete ? style.bad(words) : style.doubtful(words));
    return text + '\n';
}

std::string output_text(const check_report& report, const text_style& style) {
    const auto printing = std::ranges::count_if(report.scenarios, [](const auto& each) { return each.result.printed; });
    if (printing == 0) return {};
    return style.faint(fmt::format("{} printed something, which was dropped; --show-output shows it.\n",
                                   counted(static_cast<std::size_t>(printing), "scenario")));
}

std::string summary(const check_report& report, const text_style& style) {
    const std::string text = '\n' + clients_text(report.scenarios) + counts_text(report) + search_text(report.how);
    if (report.scenarios.empty()) return text + nothing_ran(report, style);
    return text + judgement_text(report, style) + output_text(report, style);
}

}  // namespace

std::string check_text(const check_report& report, const text_options& options) {
    const report_lines lines(options.style);
    limit_notes notes;
    std::vector<limit> limits;
    for (const checked_scenario& checked : report.scenarios) {
        std::ranges::copy(checked.result.limits, std::back_inserter(limits));
    }
    std::string text = unchecked_lines(limits, options.style);
    if (!report.scenarios.empty()) text += table(report, notes, options.style);
    const std::string compared = comparisons(report, notes, options.style);
    if (const std::string named = notes.text(); !named.empty()) text += '\n' + named;
    for (const checked_scenario* const each : shown_in_full(report.scenarios)) text += detail_text(*each, options);
    text += not_shown_text(report.scenarios);
    for (const checked_scenario& checked : report.scenarios) {
        if (report.lists_outcomes) text += outcome_text(checked, options.style);
        if (report.lists_coverage) text += coverage_text(checked, options.style);
        text += example_text(checked, options.style);
    }
    if (report.lists_coverage) {
        for (const state_chart& chart : state_charts(report.scenarios)) text += chart_text(chart, options.style);
    }
    text += compared + summary(report, options.style);
    return report.strict ? text + strict_text(*report.strict, options.style) : text;
}

std::string replay_text(const replay_report& report, const text_options& options) {
    const text_style& style = options.style;
    const report_lines lines(style);
    const trace_detail shown = options.all_steps ? trace_detail::all : trace_detail::causes;
    std::string text = style.strong(escaped(report.what->name)) +
                       fmt::format(" under {}{}\n", report.engine, memory_model_suffix(report.model));
    for (const order_override& change : report.overrides) {
        text += fmt::format("with {}\n", escaped(to_string(change)));
    }
    text += '\n';
    if (report.result.verdict != verdict::violated) {
        return text + trace_text(*report.what, report.result, report.why, style, shown) +
               "no violation in this execution\n";
    }
    text += violation_text(*report.what, report.result, report.why, style, shown);
    limit_notes notes;
    (void)notes.marks(report.result.limits);
    return text + notes.text();
}

}  // namespace ordeal::detail
