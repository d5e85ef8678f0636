// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/change_attempts.hpp"

#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace ordeal::detail {

namespace {

bool has_site(const std::vector<site>& sites, const order_override& change) {
    return std::ranges::any_of(sites, [&](const site& each) { return concerns(change, each); });
}

}  // namespace

change_attempts::change_attempts(audit_run& run, audited_subject& subject) : run_(run), subject_(subject) {
    for (const audited_site& each : subject.sites) merge_sites(sites_, {&each.where, 1});
    for (const audited_scenario& each : subject.scenarios) {
        witnesses_.push_back({&each, {}});
        learn_sites(witnesses_.back(), each.result);
    }
    // Those that are violated first: they end a group soonest.
    std::ranges::sort(witnesses_, {}, [](const witness& each) {
        const search_result& result = each.scenario->result;
        return std::tuple(result.verdict != verdict::violated, result.executions,
                          std::string_view(each.scenario->what->name));
    });
}

std::size_t change_attempts::reached() const noexcept {
    std::size_t count = 0;
    for (const witness& each : witnesses_) count += each.sites.size();
    return count;
}

// A changed execution may go where none went before.
void change_attempts::learn_sites(witness& who, const search_result& result) {
    for (const reached_site& reached : result.sites) {
        const bool in_a_known_file =
            std::ranges::any_of(sites_, [&](const site& known) { return known.key.file == reached.where.key.file; });
        if (!reached.where.atomic || !in_a_known_file) continue;
        merge_sites(sites_, {&reached.where, 1});
        merge_sites(who.sites, {&reached.where, 1});
    }
}

std::vector<change_attempts::attempt> change_attempts::plan(search_batch& batch, std::size_t group,
                                                            const change& what) const {
    std::vector<attempt> result;
    for (std::size_t who = 0; who != witnesses_.size(); ++who) {
        attempt next{.who = who, .applied = {}, .search = {}};
        for (const order_override& each : what) {
            if (has_site(witnesses_[who].sites, each)) next.applied.push_back(each);
        }
        if (!next.applied.empty()) next.search = batch.add(group, *witnesses_[who].scenario->what, next.applied);
        result.push_back(std::move(next));
    }
    return result;
}

tried_change change_attempts::judge(const search_batch& batch, const std::vector<attempt>& attempts, change what) {
    tried_change result{.what = std::move(what), .result = effect::repairs, .limits = {}};
    for (const attempt& each : attempts) {
        witness& who = witnesses_[each.who];
        const search_result* seen = &who.scenario->result;
        if (each.search) {
            const auto& made = batch.result(*each.search);
            if (!made) {
                if (result.result == effect::repairs) result.result = effect::unknown;
                continue;
            }
            seen = &*made;
            account(subject_, *seen);
            learn_sites(who, *seen);
        }
        add_limits(result.limits, *who.scenario->what, *seen);
        // Where the scenario came to a site whose change was left out, because it had not been seen there, a violation
        // tells nothing of the whole change.
        const bool whole = std::ranges::all_of(result.what, [&](const order_override& part) {
            return std::ranges::find(each.applied, part) != each.applied.end() || !has_site(who.sites, part);
        });
        if (is_evidence(*seen) && whole) {
            result.result = effect::fails;
        } else if ((!has_held(*seen) || seen->stopped || !whole) && result.result == effect::repairs) {
            result.result = effect::unknown;
        }
    }
    return result;
}

std::vector<tried_change> change_attempts::run(std::vector<change> changes) {
    if (changes.size() > run_.options.repair_searches - spent_) {
        cut_ = true;
        changes.resize(run_.options.repair_searches - spent_);
    }
    spent_ += changes.size();
    search_batch batch;
    std::vector<std::vector<attempt>> plans;
    for (std::size_t group = 0; group != changes.size(); ++group) plans.push_back(plan(batch, group, changes[group]));
    batch.run(run_, [](const search_result& result) { return !has_held(result); });
    std::vector<tried_change> result;
    for (std::size_t group = 0; group != changes.size(); ++group) {
        result.push_back(judge(batch, plans[group], std::move(changes[group])));
    }
    return result;
}

}  // namespace ordeal::detail
