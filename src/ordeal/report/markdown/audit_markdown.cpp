// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/markdown/markdown.hpp"

#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/markdown/markdown_parts.hpp"
#include "ordeal/report/replay_line.hpp"
#include "ordeal/report/search_facts.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace ordeal {

namespace {

using detail::code;
using detail::heading;
using detail::plain;
using detail::row;

std::string place(const site& where) {
    const std::string text = code(detail::short_place(where.key));
    return where.function.empty() ? text : text + ' ' + code(where.function + "()");
}

std::string words_of(const audited_order& tried) {
    const bool alone = tried.verdict == order_verdict::not_required;
    std::string text =
        fmt::format("{}: {}", to_string(tried.tried), alone ? "not required by itself" : to_string(tried.verdict));
    if (tried.kind) text += fmt::format(" ({})", to_string(*tried.kind));
    if (tried.verdict == order_verdict::vacuous) text += ": " + plain(tried.note);
    return text;
}

std::string site_table(const audited_subject& subject) {
    std::string text = heading({"site", "operation", "declared", "verdict", "weaker orders"});
    for (const audited_site& each : subject.sites) {
        std::string weaker;
        for (const audited_order& tried : each.weaker) weaker += (weaker.empty() ? "" : "<br>") + words_of(tried);
        std::string verdict(to_string(each.verdict));
        if (each.verdict == site_verdict::stronger_than_needed && each.on_purpose) verdict = "stronger on purpose";
        if (each.stronger) verdict += fmt::format(", needs {}", to_string(*each.stronger));
        if (!each.scope.empty()) verdict += " " + plain(each.scope);
        text += row({place(each.where), plain(detail::operation_of(each.where)),
                     std::string(to_string(each.where.declared)), verdict, weaker.empty() ? "none" : weaker});
    }
    return text;
}

bool is_as_written(const joint_table& table, const joint_assignment& one) {
    return std::ranges::equal(one.orders, table.sites, {}, {}, &site::declared);
}

constexpr std::size_t most_columns = 8;

std::string joint(const joint_table& table) {
    const std::size_t count = table.minimal.size();
    if (count == 1 && table.complete && is_as_written(table, table.minimal.front())) {
        return fmt::format("\nThe orders of {} taken together are minimal as written, and no other assignment is.\n",
                           table.sites.size() == 1 ? "this 1 site" : fmt::format("these {} sites", table.sites.size()));
    }
    std::string text =
        fmt::format("\n{}, {}. Each holds in every scenario, and none of its orders can be made weaker.",
                    detail::counted(count, "minimal assignment"), table.complete ? "and no more" : "perhaps not all");
    if (!table.note.empty()) text += " Not all were looked for: " + plain(table.note) + '.';
    text += '\n';
    if (count == 0) return text;
    const std::size_t shown = std::min(count, most_columns);
    std::vector<std::string> cells{"site", "operation", "declared"};
    for (std::size_t i = 0; i != shown; ++i) cells.push_back(fmt::format("{}", i + 1));
    text += '\n' + heading(cells);
    for (std::size_t i = 0; i != table.sites.size(); ++i) {
        const site& where = table.sites[i];
        cells = {place(where), plain(detail::operation_of(where)), std::string(to_string(where.declared))};
        for (std::size_t j = 0; j != shown; ++j) {
            const order chosen = table.minimal[j].orders[i];
            cells.push_back(chosen == where.declared ? "=" : fmt::format("**{}**", to_string(chosen)));
        }
        text += row(cells);
    }
    if (shown != count) text += fmt::format("\nAnd {} more, which the JSON report has.\n", count - shown);
    for (std::size_t i = 0; i != shown; ++i) {
        if (table.minimal[i].limits.empty()) continue;
        text +=
            fmt::format("\n{} held within limits{}.\n", i + 1, plain(detail::limit_clauses(table.minimal[i].limits)));
    }
    return text;
}

std::string repairs(const audited_subject& subject) {
    std::string text;
    for (std::size_t i = 0; i != subject.repairs.size(); ++i) {
        std::string changes;
        for (const order_override& each : subject.repairs[i].changes) {
            changes += (changes.empty() ? "" : ", ") + code(to_string(each));
        }
        text +=
            fmt::format("{}. repair: {}{}\n", i + 1, changes, plain(detail::limit_clauses(subject.repairs[i].limits)));
    }
    return text.empty() ? text : '\n' + text;
}

std::string of_subject(const audited_subject& subject) {
    std::string verdict(to_string(subject.verdict));
    if (subject.kind) verdict += fmt::format(": {}", to_string(*subject.kind));
    std::string text = fmt::format("\n## {}\n\n*{}* as written{}, in {}.{}\n", plain(subject.name), verdict,
                                   subject.as_expected ? "" : ", **not as expected**",
                                   detail::counted(subject.scenarios.size(), "scenario"),
                                   subject.complete ? "" : " Some searches were cut short.");
    std::string open;
    for (const audited_scenario& each : subject.scenarios) {
        if (!each.as_expected) {
            open += fmt::format("- {}: {}. {}\n", code(each.what->name),
                                unexpected_verdict_text(each.what->expected, each.result),
                                plain(cut_short(each.result.message)));
        } else if (each.result.verdict == verdict::held_within) {
            open += fmt::format("- {}: held within limits{}.\n", code(each.what->name),
                                plain(detail::limit_clauses(each.result.limits)));
        }
    }
    if (!open.empty()) text += '\n' + open;
    if (!subject.sites.empty()) text += '\n' + site_table(subject);
    for (const joint_table& each : subject.joint) text += joint(each);
    text += repairs(subject);
    return subject.note.empty() ? text : text + '\n' + plain(subject.note) + ".\n";
}

std::string demands(const audit_report& report) {
    std::string text;
    if (report.baseline) {
        text += fmt::format("\n## Compared with {}\n\n", code(report.baseline->file));
        if (report.baseline->differences.empty()) text += "No difference.\n";
        for (const baseline_difference& each : report.baseline->differences) {
            text += fmt::format("- {}: {}\n", plain(each.subject), plain(each.sentence));
        }
    }
    const std::vector<shortfall> cut = cut_short_of(report);
    if (!cut.empty()) {
        text += fmt::format("\n## Cut short{}\n\nEach search had a {}.\n\n",
                            report.require_complete ? ", which is not let pass" : "", detail::budget_words(report.how));
        for (const shortfall& each : cut) text += fmt::format("- {}\n", plain(detail::words(each)));
    }
    if (report.strict) {
        text += "\n## Not decided for every execution\n\n";
        if (report.strict->empty()) text += "Nothing.\n";
        for (const shortfall& each : *report.strict) text += fmt::format("- {}\n", plain(detail::words(each)));
    }
    return text;
}

}  // namespace

std::string audit_markdown(const audit_report& report) {
    std::string text =
        fmt::format("# Memory orders\n\n{} audited with {}{}.\n", detail::counted(report.subjects.size(), "subject"),
                    plain(report.engine), detail::memory_model_suffix(report.model));
    if (report.stopped) text += "\n**Stopped early: what was not searched is undecided.**\n";
    for (const audited_subject& subject : report.subjects) text += of_subject(subject);
    return text + demands(report);
}

}  // namespace ordeal
