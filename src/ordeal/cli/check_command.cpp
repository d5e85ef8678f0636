// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands.hpp"
#include "ordeal/cli/file_lock.hpp"
#include "ordeal/cli/shown_execution.hpp"
#include "ordeal/cli/standard_files.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/json.hpp"
#include "ordeal/report/junit.hpp"
#include "ordeal/report/markdown.hpp"
#include "ordeal/report/problems.hpp"
#include "ordeal/report/sarif.hpp"
#include "ordeal/report/strict.hpp"
#include "ordeal/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>

namespace ordeal::detail {

namespace {

std::vector<engine*> engines_for(const command_options& options) {
    if (options.engine == "all" && !engines().empty()) return {engines().begin(), engines().end()};
    return {&chosen_engine(options.engine)};
}

// A checkpoint holds the state of one search.
void require_one_search(const command_options& options, std::span<engine* const> with, std::size_t chosen) {
    const std::string& file = options.search.checkpoint;
    if (file.empty()) return;
    if (with.size() != 1 || !with.front()->features().checkpoints) {
        throw command_error(exit_code::usage, fmt::format("--checkpoint needs the engine {0}; give --engine {0}",
                                                          engines_with(&engine_features::checkpoints)));
    }
    if (chosen != 1) {
        throw command_error(exit_code::usage,
                            fmt::format("--checkpoint needs one scenario; the patterns mean {}", chosen));
    }
    if (options.search.mode == search_mode::random || options.search.mode == search_mode::pct) {
        throw command_error(exit_code::usage,
                            "--checkpoint needs a search of all executions; a random one has nothing to go on from");
    }
}

// Before the search begins in a process of its own: a file that it cannot go on from is a mistake of the command line.
void require_own_checkpoint(const search_job& job) {
    try {
        job.with->require_own_checkpoint(*job.what, job.how);
    } catch (const std::runtime_error& error) {
        throw command_error(exit_code::usage, error.what());
    }
}

checked_scenario checked(const search_job& job, const search_result& result) {
    checked_scenario value;
    value.what = job.what;
    value.engine = job.with->name();
    value.result = result;
    value.as_expected = as_expected(job.what->expected, result);
    value.accept = job.how.accept;
    value.model = job.how.model;
    value.token = token_text(job.with->name(), job.how.model, job.what->name, job.how.overrides, result.replay);
    for (const auto& [outcome, example] : result.examples) {
        value.example_tokens[outcome] =
            token_text(job.with->name(), job.how.model, job.what->name, job.how.overrides, choices{example.path});
    }
    return value;
}

// A trace and a picture are of one execution.
void require_one_shown(const command_options& options, std::size_t searches) {
    if (searches == 1) return;
    const char* const option = options.show > 0 ? "--show" : options.pictures.any() ? "a picture" : nullptr;
    if (option == nullptr) return;
    throw command_error(exit_code::usage, fmt::format("{} needs one scenario and one engine; this would be {} searches",
                                                      option, searches));
}

// What is shown in full: the example that was asked for, or the violation. Returns why there is none.
std::string show_one(const search_job& job, const command_options& options, checked_scenario& checked) {
    if (std::string why = show_example(job, options, checked); !why.empty()) return why;
    if (!options.pictures.any()) return {};
    const search_result& shown = checked.example ? checked.example->result : checked.result;
    if (shown.trace.empty()) return "there is no violation to draw; --show N draws an execution with the N-th outcome";
    write_pictures(options.pictures, *checked.what, shown);
    return {};
}

std::optional<search_result> refusal(const search_job& job) {
    search_result result;
    result.message = searches(*job.with, *job.what) ? obstacle(*job.with, *job.what) : words_for_no_policy();
    if (result.message.empty()) return std::nullopt;
    return result;
}

check_report check(const std::vector<search_job>& work, const command_options& options) {
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
        run_isolated(jobs, {}, {options.jobs, hard_limit_of(options.search.seconds), options.show_output},
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
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return report;
}

}  // namespace

exit_code run_check(const command_options& options) {
    require_writable(options);
    const std::vector<engine*> with = engines_for(options);
    require_able(with, options.search);
    std::vector<const scenario*> chosen = chosen_scenarios(options);
    if (with.size() == 1) chosen = searched_by(*with.front(), std::move(chosen), options);
    require_one_search(options, with, chosen.size());
    std::vector<search_job> work;
    for (const scenario* each : chosen) {
        for (engine* one : with) {
            if (with.size() == 1 || searches(*one, *each)) work.push_back({each, one, options.search});
        }
    }
    require_one_shown(options, work.size());
    for (search_job& job : work) job.how.jobs = shared_jobs(options.jobs, work.size());
    std::optional<file_lock> lock;
    if (!options.search.checkpoint.empty()) {
        lock.emplace(options.search.checkpoint);
        require_own_checkpoint(work.front());
    }
    check_report report = check(work, options);
    report.how = options.search;
    report.require_complete = options.require_complete;
    report.lists_outcomes = options.outcomes;
    report.lists_coverage = options.coverage;
    const bool began = work.size() == 1 && report.scenarios.size() == 1;
    const std::string not_shown = began ? show_one(work.front(), options, report.scenarios.front()) : "";
    if (options.strict) report.strict = shortfalls_of(report);
    std::vector<accepted_violation> met;
    for (const checked_scenario& each : report.scenarios) merge_accepted(each.result.accepted, met);
    name_unmet_acceptances(met, options.search.accept);
    const text_options shown{style_of(options), options.trace, options.all_steps};
    write_reports(options, {.text = [&] { return check_text(report, shown); },
                            .json = [&] { return check_json(report); },
                            .html = [&] { return check_html(report, html_run_of(options)); },
                            .junit = [&] { return check_junit(report); },
                            .sarif = [&] { return check_sarif(report); },
                            .markdown = [&] { return check_markdown(report); },
                            .problems = [&] { return check_problems(report); }});
    if (!not_shown.empty()) throw command_error(exit_code::usage, not_shown);
    if (report.stopped_early || report.scenarios.empty()) return exit_code::incomplete;
    const bool strict = !report.strict || report.strict->empty();
    const bool expected = report.unexpected() + report.count(agreement::failed) == 0;
    const bool complete = !options.require_complete || cut_short_of(report).empty();
    return expected && strict && complete ? exit_code::as_expected : exit_code::violation;
}

}  // namespace ordeal::detail
