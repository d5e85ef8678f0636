// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/audit_parts.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/report/text/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

const scenario* scenario_named(const audited_subject& subject, const std::string& name) {
    const auto found =
        std::ranges::find(subject.scenarios, name, [](const audited_scenario& each) { return each.what->name; });
    return found == subject.scenarios.end() ? nullptr : found->what;
}

}  // namespace

std::string operation_of(const site& where) {
    const role what = where.key.what;
    if (what != role::success && what != role::failure) return where.operation;
    return fmt::format("{} ({})", where.operation, to_string(what));
}

std::string short_place(const site_key& key) {
    return fmt::format("{}:{}", key.file.substr(key.file.rfind('/') + 1), key.line);
}

bool never_runs(const audited_site& value) noexcept { return value.met_in.empty() && value.run_in.empty(); }

bool folds_never_run(const audited_subject& subject) {
    constexpr std::ptrdiff_t most_shown = 8;
    return std::ranges::count_if(subject.sites, never_runs) > most_shown;
}

std::string indented(std::string_view text, std::size_t by) {
    std::string result;
    for (const std::string& line : wrapped(text, report_width - by)) result.append(by, ' ').append(line).append("\n");
    return result;
}

namespace {

std::string_view operation_words(role what) noexcept {
    switch (what) {
        case role::success: return "compare-exchange";
        case role::failure: return "failed compare-exchange";
        case role::fetch: return "read-modify-write";
        default: return to_string(what);
    }
}

std::string words_of(const order_override& change, bool with_column) {
    const std::string column = with_column ? fmt::format(":{}", change.site.column) : "";
    const std::string place =
        fmt::format("{}{} {}", short_place(change.site), column, operation_words(change.site.what));
    const std::string_view with = to_string(change.replacement);
    if (adds_fence(change)) {
        return fmt::format("{} fence {} {}", with_article(change.replacement), to_string(change.position), place);
    }
    if (!change.declared) return fmt::format("{} as {}", place, with);
    return fmt::format("{} as {} in place of {}", place, with, to_string(*change.declared));
}

}  // namespace

std::string words_of(const order_override& change) { return words_of(change, false); }

std::string words_of(const repair& value) {
    std::string text;
    for (const order_override& change : value.changes) {
        // Two loads of one line differ in their columns alone.
        const bool several = std::ranges::count(value.changes, words_of(change),
                                                [](const order_override& each) { return words_of(each); }) > 1;
        text += (text.empty() ? "" : ", ") + words_of(change, several);
    }
    return text;
}

std::string cost_words(const repair& value) {
    std::string same;
    std::string other;
    for (std::size_t i = 0; i != value.costs.size(); ++i) {
        const target_cost& before = value.written[i];
        const target_cost& after = value.costs[i];
        const std::string_view name = to_string(after.on);
        if (before.instructions == after.instructions) {
            same += fmt::format("{}{}", same.empty() ? "the same instructions on " : ", ", name);
        } else {
            other += fmt::format("{}{} {:+}", other.empty() ? "" : ", ", name, after.cost - before.cost);
        }
    }
    if (same.empty() && other.empty()) return {};
    return fmt::format("cost: {}{}{}", same, same.empty() || other.empty() ? "" : "; ", other);
}

std::string violation_text(const audited_subject& subject, const std::string& heading, const shown_violation& shown,
                           const text_options& options, const std::string& token, limit_notes& notes) {
    std::string line =
        fmt::format("{}: {} in {}", heading, shown.kind ? to_string(*shown.kind) : "violated", shown.scenario);
    if (!shown.message.empty()) line += ": " + cut_short(shown.message);
    if (!shown.limits.empty()) line += ' ' + notes.marks(shown.limits);
    std::string text = indented(line, 2);
    const scenario* const what = scenario_named(subject, shown.scenario);
    if (options.all_traces && what != nullptr) {
        search_result violation;
        violation.verdict = verdict::violated;
        violation.kind = shown.kind;
        violation.models = shown.models;
        violation.trace = shown.trace;
        text += why_text(*what, violation, shown.why, options.style) +
                trace_text(*what, violation, shown.why, options.style,
                           options.all_steps ? trace_detail::all : trace_detail::causes);
    } else if (shown.models) {
        text += indented(ordeal::detail::words(*shown.models), 4);
    }
    const std::string again = replay_line(token, options.accept);
    if (!again.empty()) text += "    " + escaped(again) + '\n';
    return text;
}

}  // namespace ordeal::detail
