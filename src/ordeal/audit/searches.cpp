// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/searches.hpp"

#include <utility>

namespace ordeal::detail {

bool is_evidence(const search_result& result) {
    if (result.verdict != verdict::violated || !result.kind) return false;
    return *result.kind != violation_kind::time_out && *result.kind != violation_kind::nondeterminism;
}

bool has_held(const search_result& result) {
    return result.verdict == verdict::held || result.verdict == verdict::held_within;
}

std::size_t search_batch::add(std::size_t group, const scenario& what, std::vector<order_override> overrides) {
    jobs_.push_back({.what = &what, .with = nullptr, .how = {}});
    jobs_.back().how.mutant.overrides = std::move(overrides);
    groups_.push_back(group);
    return jobs_.size() - 1;
}

std::size_t search_batch::replay(const scenario& what, choices which) {
    const std::size_t result = add(jobs_.size(), what, {});
    jobs_.back().how.replay = std::move(which);
    return result;
}

void search_batch::run(audit_run& run, const std::function<bool(const search_result&)>& ends_group) {
    results_.assign(jobs_.size(), std::nullopt);
    if (run.stopped || jobs_.empty()) return;
    for (search_job& job : jobs_) {
        auto overrides = std::move(job.how.mutant.overrides);
        auto replay = std::move(job.how.replay);
        job.with = run.options.with;
        job.how = run.options.search;
        // For the code as written, the search also reports which orders are used.
        job.how.wanted.used_orders =
            overrides.empty() && !replay && job.with != nullptr && job.with->features().used_orders;
        job.how.replay = std::move(replay);
        // This scenario may not reach the changed site: callers that require it check the result.
        job.how.mutant.all_overrides_reached = false;
        // The number of executions before a violation depends on the number of processes that share a search; no count
        // in an audit may. As written the code is expected to hold.
        job.how.resources.jobs = overrides.empty() ? shared_jobs(run.options.isolation.jobs, jobs_.size()) : 1;
        job.how.mutant.overrides = std::move(overrides);
    }
    const auto on_done = [&](std::size_t job, const search_result& result) {
        results_[job] = result;
        return ends_group(result);
    };
    const bool finished = run.options.run
                              ? run.options.run(jobs_, groups_, run.options.isolation, run.on_progress, on_done)
                              : run_isolated(jobs_, groups_, run.options.isolation, run.on_progress, on_done);
    if (!finished) run.stopped = true;
}

void account(audited_subject& subject, const search_result& result) {
    ++subject.searches;
    subject.executions += result.executions;
    subject.seconds += result.seconds;
    // A search that found a violation need not go on.
    if (result.stopped || (!result.complete && result.verdict != verdict::violated)) subject.complete = false;
}

}  // namespace ordeal::detail
