// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/assignments.hpp"

#include "ordeal/audit/assignments/assignment_trials.hpp"
#include "ordeal/audit/assignments/vacuous.hpp"
#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/phases.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace ordeal::detail {

namespace {

using witness_list = std::vector<const audited_scenario*>;

std::vector<order> all_orders_of(role what) {
    std::vector<order> result{order::relaxed};
    std::ranges::copy(stronger_orders(what, order::relaxed), std::back_inserter(result));
    return result;
}

// Code with a policy and code without name an operation by different columns: for scenarios of the other kind a change
// would be incomplete.
bool is_of_same_kind(const audited_subject& owner, const audited_scenario& asked) {
    return std::ranges::any_of(owner.scenarios, [&](const audited_scenario& own) {
        return own.what->instrumented == asked.what->instrumented;
    });
}

// The scenarios that are expected to hold, those with few executions first.
witness_list expected_to_hold(const audited_subject& owner, std::span<const audited_subject> subjects) {
    witness_list result;
    for (const audited_subject& subject : subjects) {
        for (const audited_scenario& each : subject.scenarios) {
            if (!each.what->expected.violation && is_of_same_kind(owner, each)) result.push_back(&each);
        }
    }
    std::ranges::sort(result, {}, [](const audited_scenario* each) {
        return std::tuple(each->result.executions, std::string_view(each->what->name));
    });
    return result;
}

// Sites that scenarios reach together, directly or transitively, and those scenarios.
struct component {
    std::vector<site> sites;
    witness_list witnesses;
};

// The sites of a subject at which values cross threads, in independent groups.
std::vector<component> components_of(const audit_run& run, const audited_subject& subject, const witness_list& all) {
    std::vector<site> met;
    for (const audited_scenario* witness : all) merge_sites(met, run.known.reached_by(*witness->what, true));
    std::vector<component> result;
    for (const audited_scenario* witness : all) {
        const std::vector<site> reached = run.known.reached_by(*witness->what, false);
        component fresh{.sites = {}, .witnesses = {witness}};
        for (const audited_site& each : subject.sites) {
            if (has_site(met, each.where) && has_site(reached, each.where)) merge_sites(fresh.sites, {&each.where, 1});
        }
        if (fresh.sites.empty()) continue;
        const auto apart = [&](const component& other) {
            return std::ranges::none_of(fresh.sites, [&](const site& each) { return has_site(other.sites, each); });
        };
        const auto joined = std::ranges::partition(result, apart);
        for (const component& other : joined) {
            fresh.witnesses.insert(fresh.witnesses.end(), other.witnesses.begin(), other.witnesses.end());
            merge_sites(fresh.sites, other.sites);
        }
        result.erase(joined.begin(), joined.end());
        result.push_back(std::move(fresh));
    }
    return result;
}

std::size_t count_sites(const std::vector<component>& components) {
    std::size_t count = 0;
    for (const component& each : components) count += each.sites.size();
    return count;
}

// Each order at the weakest that is not required by itself, and how many are weaker than declared.
std::pair<assignment, std::size_t> weakest_by_itself(const audited_subject& subject, const assignment_trials& trials) {
    assignment result = trials.written();
    std::size_t weaker = 0;
    for (std::size_t i = 0; i != result.size(); ++i) {
        const audited_site* const where = find_site(subject, trials.choices()[i].where);
        const auto found = std::ranges::find(where->weaker, order_verdict::not_required, &audited_order::verdict);
        if (found == where->weaker.end()) continue;
        result[i] = found->tried;
        ++weaker;
    }
    return {std::move(result), weaker};
}

void show_all_at_once(joint_table& table, const audited_subject& subject, assignment_trials& trials) {
    const auto [what, weaker] = weakest_by_itself(subject, trials);
    if (weaker < 2) return;
    const auto answer = trials.ask_exactly(what);
    if (!answer || answer->violated == nullptr) return;
    shown_violation shown = violation_of(*answer->violated->what, answer->shown);
    shown.overrides = trials.changes(what);
    table.all_at_once = std::move(shown);
}

// An assignment is listed once each scenario was searched with exactly these orders.
void add_minimal(joint_table& table, const assignment& what, assignment_trials& trials) {
    auto answer = trials.ask_exactly(what);
    if (!answer || answer->says != answer::holds) {
        table.complete = false;
        return;
    }
    const assignment written = trials.written();
    table.minimal.push_back({.orders = what,
                             .limits = std::move(answer->limits),
                             .weaker = what != written && at_most(what, written),
                             .costs = {}});
}

int sum(const std::vector<target_cost>& costs) {
    int result = 0;
    for (const target_cost& each : costs) result += each.cost;
    return result;
}

// What keeps any assignment of the component from being exact: a scenario that reaches it and has not held as written,
// and so might have been violated; or one of the subject's own that reached it in no execution, but was not searched
// completely.
std::vector<limit> gaps_of(const audit_run& run, const audited_subject& subject, const component& part,
                           const witness_list& all) {
    std::vector<limit> result;
    for (const audited_scenario* each : all) {
        const std::vector<site> reached = run.known.reached_by(*each->what, false);
        const bool reaches =
            std::ranges::any_of(part.sites, [&](const site& where) { return has_site(reached, where); });
        const bool own = each->what->subject == subject.name;
        if (reaches ? !has_held(each->result) : own) add_limits(result, *each->what, each->result);
    }
    return result;
}

std::string why_not_all(const audit_run& run, const assignment_trials& trials) {
    if (run.stopped) return "stopped early";
    if (trials.cut()) return "the limit on searches was reached";
    return trials.unknown();
}

// The use of each half of an order follows from the minimal assignments; vacuous halves stay as written. Returns
// whether there is any such site.
bool keep_vacuous(audit_run& run, audited_subject& subject, const component& part, std::span<const assignment> minimal,
                  std::vector<order_choice>& choices, joint_table& table) {
    for (std::size_t i = 0; i != part.sites.size(); ++i) {
        const site& where = part.sites[i];
        const order_halves vacuous = vacuous_halves(run, where, i, minimal, part.witnesses);
        if (!vacuous.any()) continue;
        choices[i].orders = orders_that_keep(where, vacuous, choices[i].orders);
        audited_site& value = *std::ranges::find_if(
            subject.sites, [&](const audited_site& each) { return same_site(each.where, where); });
        std::string missing;
        for (audited_order& each : value.weaker) {
            if (each.verdict != order_verdict::not_required || !is_vacuous(where, vacuous, each.tried)) continue;
            if (missing.empty()) missing = missing_access(run, where, vacuous, part.witnesses);
            each.verdict = order_verdict::vacuous;
            each.note = missing;
        }
        if (!missing.empty()) table.vacuous.push_back(where);
    }
    return !table.vacuous.empty();
}

// Resets the verdicts of an earlier round.
void forget_vacuous(audited_subject& subject) {
    for (audited_site& value : subject.sites) {
        for (audited_order& each : value.weaker) {
            if (each.verdict != order_verdict::vacuous) continue;
            each.verdict = order_verdict::not_required;
            each.note.clear();
        }
    }
}

joint_table solve(audit_run& run, audited_subject& subject, const component& part, const std::vector<limit>& gaps) {
    std::vector<order_choice> choices;
    for (const site& each : part.sites) choices.push_back({.where = each, .orders = all_orders_of(each.key.what)});
    joint_table table;
    table.sites = part.sites;
    std::optional<assignment_trials> all(std::in_place, run, subject, choices, part.witnesses,
                                         run.options.most_searches);
    minimal_assignments found = all->find_minimal();
    if (!run.stopped && keep_vacuous(run, subject, part, found.found, choices, table)) {
        all.emplace(run, subject, choices, part.witnesses, run.options.most_searches);
        found = all->find_minimal();
    }
    assignment_trials& trials = *all;
    table.complete = found.complete;
    for (const assignment& each : found.found) add_minimal(table, each, trials);
    table.costs = costs_of(table.sites, trials.written(), subject.sites);
    for (joint_assignment& each : table.minimal) {
        each.costs = costs_of(table.sites, each.orders, subject.sites);
        each.limits.insert(each.limits.end(), gaps.begin(), gaps.end());
    }
    std::ranges::sort(table.minimal, [](const joint_assignment& left, const joint_assignment& right) {
        return std::tuple(!left.weaker, sum(left.costs), left.orders) <
               std::tuple(!right.weaker, sum(right.costs), right.orders);
    });
    if (!run.stopped) show_all_at_once(table, subject, trials);
    if (!table.complete) {
        table.note = why_not_all(run, trials);
        subject.complete = false;
    }
    return table;
}

// An order that is not required by itself is stronger than needed once an assignment weakens it together with the
// others.
void judge_jointly(audited_site& value, const std::vector<joint_table>& tables) {
    const bool alone = std::ranges::any_of(
        value.weaker, [](const audited_order& each) { return each.verdict == order_verdict::not_required; });
    const auto any = [&](order_verdict wanted) {
        return std::ranges::any_of(value.weaker, [&](const audited_order& each) { return each.verdict == wanted; });
    };
    if (any(order_verdict::vacuous)) {
        if (!alone) value.verdict = any(order_verdict::undecided) ? site_verdict::undecided : site_verdict::vacuous;
        note_orders(value, true);
    }
    if (!alone) return;
    value.verdict = site_verdict::undecided;
    for (const joint_table& table : tables) {
        for (std::size_t i = 0; i != table.sites.size(); ++i) {
            if (!same_site(table.sites[i], value.where)) continue;
            for (const joint_assignment& each : table.minimal) {
                if (!each.weaker || !each.limits.empty() || each.orders[i] == value.where.declared) continue;
                value.verdict = site_verdict::stronger_than_needed;
                return;
            }
        }
    }
}

}  // namespace

void find_joint(audit_run& run, audited_subject& subject, std::span<const audited_subject> subjects) {
    if (subject.verdict == verdict::inconclusive) return;
    const witness_list all = expected_to_hold(subject, subjects);
    witness_list witnesses = all;
    std::erase_if(witnesses, [](const audited_scenario* each) { return !has_held(each->result); });
    // In changed executions values may cross threads at new sites.
    std::vector<component> parts = components_of(run, subject, witnesses);
    for (std::size_t known = 0; known != count_sites(parts) && !run.stopped;) {
        known = count_sites(parts);
        subject.joint.clear();
        forget_vacuous(subject);
        for (const component& each : parts) {
            subject.joint.push_back(solve(run, subject, each, gaps_of(run, subject, each, all)));
        }
        parts = components_of(run, subject, witnesses);
    }
    for (audited_site& each : subject.sites) judge_jointly(each, subject.joint);
}

}  // namespace ordeal::detail
