// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/client_groups.hpp"

#include "ordeal/report/client_behaviours.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/text/audit_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ordeal::detail {

namespace {

template <class Entry, class Key>
std::vector<table_row<Entry>> grouped(const std::vector<Entry>& entries, const Key& alike) {
    std::vector<table_row<Entry>> rows;
    std::map<std::pair<std::string, std::string>, std::size_t> row_of_clients;
    for (const Entry& each : entries) {
        const client_place place = place_of_client(each.what->name);
        if (place.set != nullptr) {
            const auto [row, added] = row_of_clients.try_emplace({std::string(place.size), alike(each)}, rows.size());
            if (!added) {
                rows[row->second].entries.push_back(&each);
                continue;
            }
        }
        rows.push_back({each.what->name, {&each}});
    }
    for (table_row<Entry>& row : rows) {
        if (row.entries.size() == 1) continue;
        row.name = fmt::format("{} ({} clients)", place_of_client(row.name).size, row.entries.size());
    }
    return rows;
}

bool is_shown(const checked_scenario& checked) {
    return checked.result.verdict == verdict::violated || checked.result.verdict == verdict::inconclusive;
}

// The smallest client of each class and kind, with how many more there are.
struct client_finding {
    const checked_scenario* smallest = nullptr;
    std::vector<const checked_scenario*> others;
};

std::vector<client_finding> client_findings(const std::vector<checked_scenario>& searches) {
    std::vector<client_finding> result;
    std::map<std::tuple<const client_set*, std::string, std::string>, std::size_t> known;
    for (const checked_scenario& each : searches) {
        const client_set* const set = place_of_client(each.what->name).set;
        if (set == nullptr || !is_shown(each)) continue;
        const auto [at, added] = known.try_emplace({set, each.engine, words(each.result)}, result.size());
        if (added) {
            result.push_back({&each, {}});
        } else {
            result[at->second].others.push_back(&each);
        }
    }
    return result;
}

std::string sizes_text(const client_set& set) {
    std::string text;
    for (std::size_t i = 0; i < set.sizes.size(); ++i) {
        const bool last = i + 1 == set.sizes.size();
        text += (i == 0 ? "" : last ? " and " : ", ") + fmt::format("{}x{}", set.sizes[i].threads, set.sizes[i].calls);
    }
    return text;
}

}  // namespace

std::vector<table_row<checked_scenario>> rows_of(const std::vector<checked_scenario>& searches) {
    return grouped(searches, [](const checked_scenario& each) {
        return fmt::format("{} {} {} {}", each.engine, words(each.result), words(each.what->expected),
                           each.as_expected ? ""
                           : each.explained ? "explained"
                                            : "unexpected");
    });
}

std::vector<table_row<list_report::entry>> rows_of(const std::vector<list_report::entry>& scenarios) {
    return grouped(scenarios, [](const list_report::entry&) { return std::string(); });
}

std::vector<const checked_scenario*> shown_in_full(const std::vector<checked_scenario>& searches) {
    const std::vector<client_finding> findings = client_findings(searches);
    std::vector<const checked_scenario*> result;
    for (const checked_scenario& each : searches) {
        if (!is_shown(each)) continue;
        const bool smallest = std::ranges::any_of(findings, [&](const auto& one) { return one.smallest == &each; });
        if (smallest || place_of_client(each.what->name).set == nullptr) result.push_back(&each);
    }
    return result;
}

std::string not_shown_text(const std::vector<checked_scenario>& searches) {
    constexpr std::size_t most_named = 3;
    std::string text;
    for (const client_finding& finding : client_findings(searches)) {
        if (finding.others.empty()) continue;
        text += fmt::format("\n{}: {} in {}", place_of_client(finding.smallest->what->name).set->name,
                            words(finding.smallest->result), counted(finding.others.size(), "more client"));
        for (std::size_t i = 0; i < std::min(finding.others.size(), most_named); ++i) {
            text += (i == 0 ? ": " : ", ") + finding.others[i]->what->name;
        }
        if (finding.others.size() > most_named) text += ", ...";
        text += '\n';
    }
    return text;
}

std::string words_of(const client_set& set) {
    std::string text = fmt::format("{} of {}", counted(set.clients.size(), "client"), sizes_text(set));
    if (set.starts > 1) text += fmt::format(", from {} states", set.starts);
    if (set.drawn_by) text += fmt::format(", drawn with seed {}", *set.drawn_by);
    return text;
}

std::vector<const client_set*> complete_sets(const std::vector<std::string_view>& scenarios) {
    std::map<const client_set*, std::size_t> found;
    for (const std::string_view each : scenarios) {
        if (const client_set* const set = place_of_client(each).set) ++found[set];
    }
    std::vector<const client_set*> result;
    for (const client_set& each : client_sets()) {
        if (!each.clients.empty() && found[&each] == each.clients.size()) result.push_back(&each);
    }
    return result;
}

namespace {

// Of the clients whose executions were all explored.
struct shown_behaviours {
    void add(const checked_scenario& checked) {
        const auto behaviours = behaviours_of(checked);
        if (!behaviours) return;
        ++clients;
        specified += behaviours->specified;
        not_shown += behaviours->not_shown.size();
        some_call_failed |= behaviours->some_call_failed;
        if (first.empty() && !behaviours->not_shown.empty())
            first = fmt::format("{} in {}", behaviours->not_shown.front(), checked.what->name);
    }

    [[nodiscard]] std::string text(const client_set& set) const {
        std::string text;
        if (not_shown > 0) {
            text += indented(fmt::format("{}: of the {} that the specification has, {} in no execution, as {}.",
                                         set.name, counted(specified, "outcome"), not_shown, first),
                             0);
        }
        const bool may_fail = std::ranges::any_of(set.family.operations, &client_operation::may_fail);
        if (may_fail && clients == set.clients.size() && !some_call_failed) {
            text +=
                indented(fmt::format("{}: each outcome is one of the specification without may_fail().", set.name), 0);
        }
        return text;
    }

    std::size_t clients = 0;
    std::size_t specified = 0;
    std::size_t not_shown = 0;
    bool some_call_failed = false;
    std::string first;
};

}  // namespace

std::string clients_text(const std::vector<checked_scenario>& searches) {
    struct tally {
        const client_set* set = nullptr;
        std::map<std::string, std::size_t> verdicts;
        std::size_t searched = 0;
        shown_behaviours behaviours;
    };
    std::vector<tally> all;
    for (const checked_scenario& each : searches) {
        const client_set* const set = place_of_client(each.what->name).set;
        if (set == nullptr) continue;
        auto found = std::ranges::find(all, set, &tally::set);
        if (found == all.end())
            found = all.insert(all.end(), {.set = set, .verdicts = {}, .searched = 0, .behaviours = {}});
        ++found->verdicts[std::string(to_string(each.result.verdict))];
        ++found->searched;
        found->behaviours.add(each);
    }
    std::string text;
    for (const tally& one : all) {
        const client_set& set = *one.set;
        text += fmt::format("{}: ", set.name);
        if (one.searched == set.clients.size() && one.verdicts.size() == 1) {
            text += fmt::format("{} for {}", one.verdicts.begin()->first, set.drawn_by ? "" : "all ");
        } else {
            std::string counts;
            for (const auto& [verdict, clients] : one.verdicts) {
                counts += fmt::format("{}{} for {}", counts.empty() ? "" : ", ", verdict, clients);
            }
            text += counts + " of ";
        }
        text += words_of(set);
        if (set.waiting > 0) text += fmt::format("; {} that may wait for ever left out", set.waiting);
        text += ".\n";
        text += one.behaviours.text(set);
    }
    return text;
}

}  // namespace ordeal::detail
