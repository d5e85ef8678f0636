// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/phases.hpp"

#include "ordeal/audit/judge.hpp"
#include "ordeal/audit/subjects.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace ordeal::detail {

namespace {

// The scenarios that can judge a site, and what is known of it before it is changed.
struct site_plan {
    std::vector<const audited_scenario*> witnesses;
    site_facts facts;
};

// A weaker order to be tried: its searches are [first, last) of the batch.
struct attempt {
    audited_subject* subject = nullptr;
    audited_site* where = nullptr;
    const site_plan* plan = nullptr;
    order tried = order::relaxed;
    std::size_t first = 0;
    std::size_t last = 0;
};

bool expected_to_hold(const audited_scenario& value) { return !value.what->expected.violation; }

// The subject's own scenarios come first, then those with fewer executions: the first violation is shown, and ends the
// attempt.
void sort_witnesses(std::vector<const audited_scenario*>& witnesses, const std::string& subject) {
    const auto rank = [&](const audited_scenario* each) {
        return std::tuple(each->what->subject != subject, each->result.executions, std::string_view(each->what->name));
    };
    std::ranges::sort(witnesses, {}, rank);
}

site_plan plan_for(const site& where, const audited_subject& owner, std::span<const audited_subject> subjects) {
    site_plan plan;
    for (const audited_subject& subject : subjects) {
        const bool own = &subject == &owner;
        for (const audited_scenario& each : subject.scenarios) {
            const reached_site* const reached = find_reached(each.result, where);
            if (!expected_to_hold(each)) continue;
            if (!has_held(each.result)) {
                // A complete search of it might have reached the site and been violated.
                if (own || reached != nullptr) add_limits(plan.facts.objections, *each.what, each.result);
                continue;
            }
            if (reached == nullptr) {
                if (own) add_limits(plan.facts.unseen, *each.what, each.result);
                continue;
            }
            plan.witnesses.push_back(&each);
            plan.facts.crossed = plan.facts.crossed || reached->crossed;
        }
    }
    // A fence itself has no reads-from edges.
    if (where.key.what == role::fence && !plan.witnesses.empty()) plan.facts.crossed = true;
    if (owner.verdict == verdict::violated) {
        plan.facts.objections.insert(
            plan.facts.objections.begin(),
            {"violated-as-written", "the subject is violated as written", limit_effect::bounds});
    }
    sort_witnesses(plan.witnesses, owner.name);
    return plan;
}

void add_attempts(search_batch& batch, std::vector<attempt>& attempts, audited_subject& subject, audited_site& where,
                  const site_plan& plan) {
    for (const order tried : weaker_orders(where.where.key.what, where.where.declared)) {
        attempt next{.subject = &subject, .where = &where, .plan = &plan, .tried = tried, .first = batch.size()};
        for (const audited_scenario* witness : plan.witnesses) {
            batch.add(attempts.size(), *witness->what, {change_at(where.where, tried)});
        }
        next.last = batch.size();
        attempts.push_back(next);
    }
}

void conclude_attempt(audit_run& run, const search_batch& batch, const attempt& value) {
    std::vector<changed_search> searches;
    bool ended = false;
    for (std::size_t i = value.first; i != value.last; ++i) {
        const auto& result = batch.result(i);
        // Searches after the first violation are ignored: how far they got depends on the number of processes.
        searches.push_back({batch.job(i).what, result && !ended ? &*result : nullptr,
                            &value.plan->witnesses[i - value.first]->result});
        if (!result || ended) continue;
        account(*value.subject, *result);
        run.known.add(*batch.job(i).what, batch.job(i).how.mutant.overrides, *result);
        ended = is_evidence(*result);
    }
    value.where->weaker.push_back(judge_order(value.where->where, value.tried, value.plan->facts, searches));
    const audited_order& judged = value.where->weaker.back();
    if (judged.verdict != order_verdict::required && judged.searches != searches.size()) {
        value.subject->complete = false;
    }
}

}  // namespace

void weaken_sites(audit_run& run, std::span<audited_subject> subjects) {
    std::size_t count = 0;
    for (const audited_subject& subject : subjects) count += subject.sites.size();
    std::vector<site_plan> plans;
    plans.reserve(count);  // attempts point into it
    std::vector<attempt> attempts;
    search_batch batch;
    for (audited_subject& subject : subjects) {
        for (audited_site& where : subject.sites) {
            plans.push_back(plan_for(where.where, subject, subjects));
            add_attempts(batch, attempts, subject, where, plans.back());
        }
    }
    batch.run(run, is_evidence);
    for (const attempt& each : attempts) conclude_attempt(run, batch, each);
    std::size_t next = 0;
    for (audited_subject& subject : subjects) {
        for (audited_site& where : subject.sites) judge_site(where, plans[next++].facts.crossed);
    }
}

}  // namespace ordeal::detail
