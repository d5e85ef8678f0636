// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/commands/check_run.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/files/report_files.hpp"
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/strict.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

std::optional<search_result> refusal(const search_job& job) {
    search_result result;
    result.message = searches(*job.with, *job.what) ? obstacle(*job.with, *job.what) : no_policy_message();
    if (result.message.empty()) return std::nullopt;
    return result;
}

}  // namespace

checked_scenario checked(const search_job& job, const search_result& result) {
    checked_scenario value;
    value.what = job.what;
    value.engine = job.with->name();
    value.result = result;
    value.why = explain(*job.what, result);
    // What is expected of the whole may be in another shard.
    value.as_expected =
        as_expected(job.what->expected, result) ||
        (job.how.shard.count > 0 && result.verdict == verdict::held_within && !leaves_code_unchecked(result));
    value.accept = job.how.accept;
    value.model = job.how.model;
    value.token = token_text(job.with->name(), job.how.model, job.what->name, job.how.mutant.overrides, result.replay);
    for (const auto& [outcome, example] : result.examples) {
        value.example_tokens[outcome] = token_text(job.with->name(), job.how.model, job.what->name,
                                                   job.how.mutant.overrides, choices{example.path});
    }
    return value;
}

check_report check_all(const std::vector<search_job>& work, const command_options& options) {
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::optional<checked_scenario>> results(work.size());
    std::vector<search_job> jobs;
    std::vector<std::size_t> origin;
    for (std::size_t i = 0; i < work.size(); ++i) {
        if (const auto refused = refusal(work[i])) {
            results[i] = checked(work[i], *refused);
            results[i]->refused = true;
        } else {
            jobs.push_back(work[i]);
            origin.push_back(i);
        }
    }
    watched_progress progress(options.quiet);
    const bool finished =
        run_isolated(jobs, {}, {options.jobs, hard_limit_of(options.search.resources.seconds), options.show_output},
                     progress.callback(), [&](std::size_t job, const search_result& result) {
                         results[origin[job]] = checked(jobs[job], result);
                         return false;
                     });
    check_report report;
    for (auto& result : results) {
        if (result) {
            report.stopped_early |= result->result.stopped;
            report.scenarios.push_back(std::move(*result));
        } else {
            ++report.not_begun;
        }
    }
    report.stopped_early |= !finished;
    compare_engines(report);
    report.how = options.search;
    report.require_complete = options.require_complete;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return report;
}

exit_code conclude(check_report report, const command_options& options) {
    if (options.strict) report.strict = shortfalls_of(report);
    std::vector<accepted_violation> met;
    for (const checked_scenario& each : report.scenarios) merge_accepted(each.result.accepted, met);
    if (report.how.shard.count == 0) name_unmet_acceptances(met, report.how.accept);
    write_reports(options, report, &report_format::check);
    if (report.stopped_early || report.scenarios.empty()) return exit_code::incomplete;
    const bool strict = !report.strict || report.strict->empty();
    const bool expected = report.unexpected() + report.count(agreement::failed) == 0;
    const bool complete = !options.require_complete || cut_short_of(report).empty();
    return expected && strict && complete ? exit_code::as_expected : exit_code::violation;
}

}  // namespace ordeal::detail
