// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/commands/commands.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/engine/seconds_since.hpp"
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>
#include <chrono>
#include <cstddef>
#include <iterator>
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
    report.seconds = seconds_since(began);
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

namespace {

constexpr double replay_limit = 30;  // seconds; one execution

}  // namespace

std::optional<search_result> replayed(const search_job& job, const command_options& options) {
    search_result found;
    watched_progress progress(true);
    const bool finished = run_isolated({&job, 1}, {}, {1, replay_limit, options.show_output}, progress.callback(),
                                       [&](std::size_t, const search_result& result) {
                                           found = result;
                                           return false;
                                       });
    if (!finished) return std::nullopt;
    return found;
}

std::string show_example(const search_job& job, const command_options& options, checked_scenario& checked) {
    if (options.show == 0) return {};
    const outcome_examples& examples = checked.result.examples;
    if (options.show > examples.size()) {
        return fmt::format("--show {}: the search has {}", options.show,
                           examples.empty() ? "no outcome to show" : counted(examples.size(), "outcome"));
    }
    const auto chosen = std::next(examples.begin(), static_cast<std::ptrdiff_t>(options.show - 1));
    search_job again = job;
    again.how.resources.jobs = 1;
    again.how.checkpoint.file.clear();
    again.how.wanted.examples = again.how.wanted.atomic_states = false;
    again.how.replay = choices{chosen->second.path};
    shown_example shown{chosen->first, checked.example_tokens[chosen->first], {}};
    std::optional<search_result> result = replayed(again, options);
    if (!result) return fmt::format("--show {}: stopped early", options.show);
    shown.result = std::move(*result);
    if (shown.result.verdict == verdict::inconclusive) {
        return fmt::format("--show {}: cannot replay: {}", options.show, shown.result.message);
    }
    shown.why = explain(*job.what, shown.result);
    checked.example = std::move(shown);
    return {};
}

}  // namespace ordeal::detail
