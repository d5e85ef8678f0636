// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/baseline.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/client_groups.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/report/text/text.hpp"
#include "ordeal/report/text/trace_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace ordeal::detail {

namespace {

tone tone_of(site_verdict value) {
    switch (value) {
        case site_verdict::minimal: return tone::good;
        case site_verdict::too_weak: return tone::bad;
        case site_verdict::stronger_than_needed:
        case site_verdict::vacuous:
        case site_verdict::undecided: return tone::doubtful;
        case site_verdict::unexercised: break;
    }
    return tone::faint;
}

std::string order_words(const audited_order& tried) {
    // The violation says that the weaker order does not do.
    return fmt::format("{}: {}", to_string(tried.tried), tried.kind ? to_string(*tried.kind) : words_of(tried.verdict));
}

// In a subject that is violated as written no verdict on a site is final; yet something may be known of it.
std::string verdict_words(const audited_site& audited) {
    const bool all_required = std::ranges::all_of(
        audited.weaker, [](const audited_order& tried) { return tried.verdict == order_verdict::required; });
    switch (audited.verdict) {
        case site_verdict::undecided:
            if (!audited.weaker.empty() && all_required) return "needed as far as known";
            break;
        case site_verdict::unexercised: return audited.run_in.empty() ? "never runs" : "never meets another thread";
        case site_verdict::stronger_than_needed:
            if (audited.on_purpose) return "stronger on purpose";
            break;
        case site_verdict::minimal:
        case site_verdict::vacuous:
        case site_verdict::too_weak: break;
    }
    return std::string(to_string(audited.verdict));
}

std::string site_table(const audited_subject& subject, const text_style& style) {
    const audit_score score = score_of(subject);
    const bool folds = folds_never_run(subject);
    text_table table({"site", "function", "operation", "declared", "verdict", "weaker orders"});
    for (const audited_site& audited : subject.sites) {
        if (folds && never_runs(audited)) continue;
        const site& where = audited.where;
        std::string verdict = verdict_words(audited);
        if (audited.stronger) verdict += fmt::format(", needs {}", to_string(*audited.stronger));
        if (audited.verdict == site_verdict::stronger_than_needed) {
            verdict += fmt::format(" (score {} of {})", score.detected, score.injected);
        }
        std::vector<table_cell> row{{short_place(where.key)},
                                    {where.function},
                                    {operation_of(where)},
                                    {std::string(to_string(where.declared))},
                                    {verdict, tone_of(audited.verdict)}};
        if (audited.weaker.empty()) row.push_back({"none", tone::faint});
        for (const audited_order& tried : audited.weaker) {
            if (row.empty()) row.resize(5);
            row.push_back({order_words(tried)});
            table.add(std::exchange(row, {}));
        }
        if (!row.empty()) table.add(std::move(row));
    }
    return table.text(style);
}

// Sites that no scenario runs are many where a header is large: one line for all of them.
std::string never_run(const audited_subject& subject) {
    if (!folds_never_run(subject)) return {};
    std::vector<std::string> places;
    for (const audited_site& each : subject.sites) {
        if (never_runs(each)) places.push_back(short_place(each.where.key));
    }
    return indented(fmt::format("{} never run, and are not shown: {}.", counted(places.size(), "site"), listed(places)),
                    0);
}

std::string repairs_text(const audited_subject& subject, limit_notes& notes) {
    std::string text;
    for (std::size_t i = 0; i != subject.repairs.size(); ++i) {
        const std::string line = fmt::format("repair {}: {}", i + 1, words_of(subject.repairs[i]));
        const std::string marks = notes.marks(subject.repairs[i].limits);
        text += indented(line + (marks.empty() ? "" : ' ' + marks), 0);
        text += indented(cost_words(subject.repairs[i]), 2);
    }
    return text;
}

// What was not as expected before any order was changed; without it the table below means little.
std::string surprises(const audited_subject& subject, const text_style& style) {
    std::string text;
    for (const audited_scenario& audited : subject.scenarios) {
        if (audited.as_expected) continue;
        std::string line = audited.what->name + ": " + unexpected_verdict_text(audited.what->expected, audited.result);
        if (!audited.result.message.empty()) line += ": " + cut_short(audited.result.message);
        for (const std::string& part : wrapped(line, report_width)) text += style.bad(part) + '\n';
        if (audited.result.models) text += indented(ordeal::detail::words(*audited.result.models), 2);
    }
    return text;
}

// A scenario in which no two threads meet at an atomic says nothing of orders, whatever its verdict is.
std::string idle_scenarios(const audited_subject& subject) {
    std::vector<std::string> names;
    for (const audited_scenario& audited : subject.scenarios) {
        const auto& sites = audited.result.sites;
        if (sites.empty() || std::ranges::any_of(sites, &reached_site::crossed)) continue;
        names.push_back(audited.what->name);
    }
    if (names.empty()) return {};
    return indented(fmt::format("Threads meet at no atomic operation, so that no order matters, in {}.", listed(names)),
                    0);
}

// Searches that were not made, because others had shown what they would.
std::string spared(const audited_subject& subject) {
    const std::uint64_t all = subject.repeated + subject.implied;
    if (all == 0) return {};
    return fmt::format(", {} spared ({} known, {} implied)", all, subject.repeated, subject.implied);
}

// How strong it is that a weaker order is not detected: all clients up to a size say more than a few scenarios.
std::string by_whom_not(const audited_subject& subject) {
    std::vector<std::string_view> names;
    for (const audited_scenario& each : subject.scenarios) names.push_back(each.what->name);
    std::vector<std::string> clients;
    for (const client_set* each : complete_sets(names)) clients.push_back(words_of(*each));
    return clients.empty() ? "" : fmt::format(" by any of the {}", fmt::join(clients, ", nor of the "));
}

// How good the scenarios are as tests of orders: those that they do not tell from a weaker one, or cannot.
std::string score(const audited_subject& subject) {
    const audit_score value = score_of(subject);
    if (subject.verdict == verdict::violated || value.injected == 0) return {};
    std::vector<std::string> survivors;
    for (const audited_site& each : subject.sites) {
        for (const audited_order& tried : each.weaker) {
            if (tried.verdict == order_verdict::required) continue;
            survivors.push_back(fmt::format("{} as {}", short_place(each.where.key), to_string(tried.tried)));
        }
    }
    std::vector<std::pair<std::string, std::size_t>> best(value.detected_by.begin(), value.detected_by.end());
    std::ranges::sort(best, [](const auto& left, const auto& right) {
        return left.second != right.second ? left.second > right.second : left.first < right.first;
    });
    std::vector<std::string> by;
    for (const auto& [name, count] : best) by.push_back(fmt::format("{} ({})", name, count));
    std::string text =
        fmt::format("Of {} the scenarios detect {}", counted(value.injected, "weaker order"), value.detected);
    if (!by.empty()) text += fmt::format(", the first to do so: {}", listed(by));
    text += '.';
    if (!survivors.empty()) {
        text += fmt::format(" Not detected{}: {}.", by_whom_not(subject), listed(survivors));
    }
    return '\n' + indented(text, 0);
}

// Of all scenarios, each once.
std::vector<limit> limits_of(const audited_subject& subject) {
    std::vector<limit> limits;
    for (const audited_scenario& audited : subject.scenarios) {
        std::ranges::copy(audited.result.limits, std::back_inserter(limits));
    }
    const auto of_one_sentence = [](const limit& one, const limit& other) { return one.sentence == other.sentence; };
    std::ranges::sort(limits, {}, &limit::sentence);
    limits.erase(std::unique(limits.begin(), limits.end(), of_one_sentence), limits.end());
    return limits;
}

// "queue.hpp:35 seq_cst to acquire": as the first minimal assignment that only weakens has it, so that all changes that
// are named can be made together.
std::string need_of(const audited_subject& subject, const audited_site& audited) {
    const site& where = audited.where;
    std::string text = fmt::format("{} {}", short_place(where.key), to_string(where.declared));
    for (const joint_table& table : subject.joint) {
        const auto chosen = std::ranges::find(table.minimal, true, &joint_assignment::weaker);
        if (chosen == table.minimal.end()) continue;
        for (std::size_t i = 0; i != table.sites.size(); ++i) {
            const bool is_same = table.sites[i].key == where.key && table.sites[i].declared == where.declared;
            if (is_same && chosen->orders[i] != where.declared) {
                return text + fmt::format(" to {}", to_string(chosen->orders[i]));
            }
        }
    }
    return text;
}

// What is found of the orders, in half a line: the first repair, or what is weaker than written.
std::string orders_in_short(const audited_subject& subject) {
    if (!subject.repairs.empty()) {
        const std::size_t others = subject.repairs.size() - 1;
        return fmt::format("repair: {}{}", words_of(subject.repairs.front()),
                           others == 0 ? "" : fmt::format(", or {}", counted(others, "other")));
    }
    if (subject.verdict == verdict::violated && !subject.note.empty()) return subject.note;
    if (subject.sites.empty()) return "no sites";
    std::vector<std::string> stronger;
    std::map<site_verdict, std::size_t> others;
    std::size_t on_purpose = 0;
    for (const audited_site& each : subject.sites) {
        if (each.verdict != site_verdict::stronger_than_needed) {
            ++others[each.verdict];
        } else if (each.on_purpose) {
            ++on_purpose;
        } else {
            stronger.push_back(need_of(subject, each));
        }
    }
    std::vector<std::string> parts;
    for (const auto& [verdict, count] : others) parts.push_back(fmt::format("{} {}", count, to_string(verdict)));
    if (on_purpose > 0) parts.push_back(fmt::format("{} stronger on purpose", on_purpose));
    if (!stronger.empty()) {
        parts.push_back(fmt::format("{} stronger than needed: {}", stronger.size(), fmt::join(stronger, ", ")));
    }
    return fmt::format("{}: {}", counted(subject.sites.size(), "site"), fmt::join(parts, ", "));
}

std::string subject_line(const audited_subject& subject, const text_style& style) {
    std::set<std::string> ids;
    for (const limit& each : limits_of(subject)) ids.insert(each.id);
    return fmt::format("{}: {}{} as written{}; {}{}\n", style.strong(escaped(subject.name)),
                       ordeal::detail::words(subject.verdict, subject.kind),
                       ids.empty() ? "" : fmt::format(" ({})", fmt::join(ids, ", ")),
                       subject.as_expected ? "" : style.bad(", not as expected"), orders_in_short(subject),
                       subject.complete ? "" : "; some searches were cut short");
}

std::string subject_text(const audited_subject& subject, const text_options& options, const audit_token& token_of,
                         limit_notes& notes) {
    if (options.quiet) return subject_line(subject, options.style);
    std::string says = ordeal::detail::words(subject.verdict, subject.kind);
    const std::vector<limit> limits = limits_of(subject);
    if (!limits.empty()) says += ' ' + notes.marks(limits);
    std::string text =
        fmt::format("{}: {} as written{}; {}, {} in {} {}{}{}\n", options.style.strong(escaped(subject.name)), says,
                    subject.as_expected ? "" : options.style.bad(", not as expected"),
                    counted(subject.scenarios.size(), "scenario"), counted(subject.executions, "execution"),
                    subject.searches, subject.searches == 1 ? "search" : "searches", spared(subject),
                    subject.complete ? "" : "; some searches were cut short");
    text += surprises(subject, options.style);
    // Of violated code the repairs come first: weaker orders are searched when it holds.
    const bool is_wrong = !subject.repairs.empty();
    if (is_wrong) text += repairs_text(subject, notes) + indented(subject.note, 0);
    text += idle_scenarios(subject);
    if (!subject.scope.empty()) text += indented(subject.scope + ".", 0);
    if (!subject.sites.empty()) text += '\n' + site_table(subject, options.style);
    text += never_run(subject);
    text += score(subject);
    text += joint_text(subject, options, token_of, notes);
    if (!is_wrong && !subject.note.empty()) text += indented(subject.note, 0);
    const bool folds = folds_never_run(subject);
    for (const audited_site& audited : subject.sites) {
        if (folds && never_runs(audited)) continue;
        text += site_text(subject, audited, options, token_of, notes);
    }
    return text + '\n';
}

// The meaning of a verdict under a model other than that of C++.
std::string_view meaning_under(memory_model model) {
    switch (model) {
        case memory_model::cpp20_letter:
        case memory_model::cpp20:
        case memory_model::rc11: return "";
        case memory_model::tso:
            return "Under tso, an order that is not required is one that x86-64 gives anyway. C++ still asks for it, "
                   "so that the compiler keeps it. A violation of the code as written exists on x86-64.";
        case memory_model::sc:
            return "Under sc no order matters: a violation is an error in the logic, and no order repairs it.";
    }
    return "";
}

}  // namespace

std::string audit_text(const audit_report& report, const text_options& shown, const audit_token& token_of) {
    const report_lines lines(shown.style);
    text_options options = shown;
    options.accept = report.how.accept;
    limit_notes notes;
    std::vector<limit> met;
    for (const audited_subject& subject : report.subjects) {
        for (const audited_scenario& each : subject.scenarios)
            std::ranges::copy(each.result.limits, std::back_inserter(met));
    }
    std::string text = unchecked_lines(met, options.style);
    std::size_t unexpected = 0;
    for (const audited_subject& subject : report.subjects) {
        text += subject_text(subject, options, token_of, notes);
        unexpected += subject.as_expected ? 0 : 1;
    }
    if (const std::string limits = notes.text(); !limits.empty()) text += limits + '\n';
    text += indented(meaning_under(report.model), 0);
    text += fmt::format("{} audited with {}{}; {:.1f} s.\n", counted(report.subjects.size(), "subject"), report.engine,
                        memory_model_suffix(report.model), report.seconds);
    if (report.stopped) text += options.style.bad("Stopped early: what was not searched is undecided.") + '\n';
    if (unexpected > 0) {
        text += options.style.bad(fmt::format("{} not as expected.", counted(unexpected, "subject"))) + '\n';
    }
    const std::string cut = cut_short_words(cut_short_of(report), report.how, report.require_complete);
    if (!cut.empty()) text += (report.require_complete ? options.style.bad(cut) : options.style.doubtful(cut)) + '\n';
    if (report.baseline) text += baseline_text(*report.baseline, options.style);
    if (report.strict) text += strict_text(*report.strict, options.style);
    if (report.fix) text += fix_text(*report.fix, options.style);
    return text;
}

}  // namespace ordeal::detail
