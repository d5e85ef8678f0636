// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_columns = 6;

table_cell cell_of(order chosen, order declared) {
    if (chosen == declared) return {"=", tone::faint};
    const bool is_weaker = weaker(chosen, declared);
    return {fmt::format("{} {}", is_weaker ? '-' : '+', to_string(chosen)), is_weaker ? tone::good : tone::doubtful};
}

std::string saving(const target_cost& written, const target_cost& chosen) {
    if (written.instructions == chosen.instructions) return "same";
    const int saved = chosen.cost - written.cost;
    return saved == 0 ? "other, as dear" : fmt::format("{:+}", saved);
}

// A row for each target: what an assignment saves in instructions.
void add_costs(text_table& text, const joint_table& table, std::size_t shown) {
    for (std::size_t i = 0; i != table.costs.size(); ++i) {
        const target_cost& written = table.costs[i];
        std::vector<table_cell> cells{{fmt::format("cost on {}", to_string(written.on)), tone::faint},
                                      {""},
                                      {fmt::format("{}", written.cost), tone::faint}};
        for (std::size_t column = 0; column != shown; ++column) {
            cells.push_back({saving(written, table.minimal[column].costs[i]), tone::faint});
        }
        text.add(std::move(cells));
    }
}

// The numbers go on from one table to the next: so many stand `before` this one.
std::string assignments(const joint_table& table, std::size_t before, const text_style& style, limit_notes& notes) {
    const std::size_t shown = std::min(table.minimal.size(), most_columns);
    std::vector<std::string> headings{"site", "operation", "declared"};
    for (std::size_t i = 0; i != shown; ++i) headings.push_back(fmt::format("{}", before + i + 1));
    text_table text(headings);
    for (std::size_t row = 0; row != table.sites.size(); ++row) {
        const site& where = table.sites[row];
        std::vector<table_cell> cells{
            {short_place(where.key)}, {operation_of(where)}, {std::string(to_string(where.declared))}};
        for (std::size_t i = 0; i != shown; ++i) cells.push_back(cell_of(table.minimal[i].orders[row], where.declared));
        text.add(std::move(cells));
    }
    add_costs(text, table, shown);
    std::string result = text.text(style) + "= as written, - weaker, + stronger";
    result += table.costs.empty() ? "\n" : "; same: the same instructions\n";
    for (std::size_t i = 0; i != shown; ++i) {
        const std::string marks = notes.marks(table.minimal[i].limits);
        if (!marks.empty()) result += fmt::format("{} rests on {}\n", before + i + 1, marks);
    }
    if (shown != table.minimal.size()) {
        result += fmt::format("and {} more, which the JSON report has\n", table.minimal.size() - shown);
    }
    return result;
}

// What is weaker than an assignment that held within a bound was not looked for above it.
std::string_view how_many_more(const joint_table& table) {
    if (!table.complete) return "perhaps not all";
    const bool bounded =
        std::ranges::any_of(table.minimal, [](const joint_assignment& each) { return !each.limits.empty(); });
    return bounded ? "and no more within the limits that they rest on" : "and no more";
}

// They are in no assignment but as they are written.
[[nodiscard]] std::string but_for_vacuous(const joint_table& table) {
    if (table.vacuous.empty()) return {};
    std::vector<std::string> places;
    for (const site& each : table.vacuous) {
        places.push_back(fmt::format("{} {}", short_place(each.key), to_string(each.declared)));
    }
    return fmt::format(" Vacuous orders stay as they are written: {}.", listed(places));
}

std::string heading_of(const audited_subject& subject, const joint_table& table) {
    std::string text = subject.joint.size() == 1
                           ? std::string()
                           : fmt::format("{} ({} that no scenario reaches together with the others): ",
                                         short_place(table.sites.front().key), counted(table.sites.size(), "site"));
    if (is_minimal_as_written(table)) {
        return text + "Taken together the orders are minimal as written, and no other assignment is." +
               but_for_vacuous(table);
    }
    text += fmt::format("{}, {}: each was searched with just these orders, and none of them can be made weaker.",
                        counted(table.minimal.size(), "minimal assignment"), how_many_more(table));
    if (!table.note.empty()) text += fmt::format(" Not all were looked for: {}.", table.note);
    return text + but_for_vacuous(table);
}

}  // namespace

bool is_minimal_as_written(const joint_table& table) {
    return table.minimal.size() == 1 && table.complete &&
           std::ranges::equal(table.minimal.front().orders, table.sites, {}, {}, &site::declared);
}

std::string joint_text(const audited_subject& subject, const text_options& options, const audit_token& token_of,
                       limit_notes& notes) {
    std::string text;
    std::size_t before = 0;
    for (const joint_table& table : subject.joint) {
        text += '\n' + indented(heading_of(subject, table), 0);
        if (!is_minimal_as_written(table) && !table.minimal.empty()) {
            text += '\n' + assignments(table, before, options.style, notes);
        }
        before += table.minimal.size();
        if (!table.all_at_once) continue;
        text += violation_text(subject, "all that is not required by itself, at once", *table.all_at_once, options,
                               token_of(*table.all_at_once), notes);
    }
    return text;
}

}  // namespace ordeal::detail
