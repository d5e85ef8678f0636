// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/commands/stress_run.hpp"

#include "ordeal/cli/patterns.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/threads/thread_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr double model_seconds = 5;  // for each scenario

// A run of this scenario is over: adds it to the ones before.
void add(stressed_scenario& sum, const search_result& more, std::uint64_t seed) {
    search_result& ran = sum.ran;
    ran.executions += more.executions;
    ran.seconds += more.seconds;
    ran.faults_injected += more.faults_injected;
    ran.faults_survived += more.faults_survived;
    ran.stopped = more.stopped;
    for (const auto& [outcome, samples] : more.outcomes) ran.outcomes[outcome] += samples;
    if (more.verdict == verdict::inconclusive && more.stopped) return;  // it had no time to show anything
    if (ran.verdict == verdict::violated) return;
    ran.verdict = more.verdict;
    ran.kind = more.kind;
    ran.message = more.message;
    sum.seed = seed;
}

}  // namespace

std::vector<stressed_scenario> scenarios_to_stress(std::span<const scenario* const> chosen,
                                                   const std::vector<std::string>& patterns) {
    std::vector<stressed_scenario> result;
    for (const scenario* each : chosen) {
        const bool named =
            std::ranges::any_of(patterns, [&](const std::string& pattern) { return is_name_of(pattern, *each); });
        if (each->real.run == nullptr) {
            if (named)
                throw command_error(exit_code::usage,
                                    fmt::format("cannot run '{}': {}", each->name, no_real_threads_message()));
            continue;
        }
        if (each->expected.violation && !named) continue;
        result.emplace_back().what = each;
    }
    return result;
}

bool ask_the_model(std::vector<stressed_scenario>& scenarios, unsigned jobs, const progress_callback& on_progress) {
    if (engines().empty()) return true;
    engine* const first = engines().front();
    std::vector<search_job> work;
    std::vector<stressed_scenario*> asked;
    for (stressed_scenario& each : scenarios) {
        if (each.what->threads.size() > first->max_threads()) continue;
        each.engine = first->name();
        search_options how;
        how.resources.seconds = model_seconds;
        work.push_back({each.what, first, how});
        asked.push_back(&each);
    }
    for (search_job& job : work) job.how.resources.jobs = shared_jobs(jobs, work.size());
    return run_isolated(work, {}, {jobs, hard_limit_of(model_seconds)}, on_progress,
                        [&](std::size_t job, const search_result& result) {
                            asked[job]->model = result;
                            return false;
                        });
}

bool run_round(std::vector<stressed_scenario>& scenarios, const stress_round& round,
               const progress_callback& on_progress) {
    static thread_engine threads;
    search_options how;
    how.strategy.mode = search_mode::random;
    how.strategy.seed = round.seed;
    how.resources.seconds = round.seconds;
    how.strategy.bound = round.samples;
    how.resources.hang_timeout = round.hang_timeout;
    std::vector<search_job> work;
    std::vector<stressed_scenario*> run;
    for (stressed_scenario& each : scenarios) {
        if (each.ran.verdict == verdict::violated) continue;
        work.push_back({each.what, &threads, how});
        run.push_back(&each);
    }
    // A hang just before the end is still noticed by the run itself.
    const double limit = round.seconds > 0 ? hard_limit_of(round.seconds) + round.hang_timeout : 0;
    return run_isolated(work, {}, {round.jobs, limit, round.show_output}, on_progress,
                        [&](std::size_t job, const search_result& result) {
                            add(*run[job], result, round.seed);
                            return false;
                        });
}

}  // namespace ordeal::detail
