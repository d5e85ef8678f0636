// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/guided_repair.hpp"
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/engine/engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace ordeal::detail {

namespace {

std::vector<engine*> engines_for(const command_options& options) {
    if (options.engine == "all" && !engines().empty()) return {engines().begin(), engines().end()};
    return {&chosen_engine(options.engine)};
}

// A checkpoint holds the state of one search.
void require_one_search(const command_options& options, std::span<engine* const> with, std::size_t chosen) {
    const std::string& file = options.search.checkpoint.file;
    if (file.empty()) return;
    if (with.size() != 1 || !with.front()->features().checkpoints) {
        throw command_error(exit_code::usage, fmt::format("--checkpoint needs the engine {0}; give --engine {0}",
                                                          engines_with(&engine_features::checkpoints)));
    }
    if (chosen != 1) {
        throw command_error(exit_code::usage,
                            fmt::format("--checkpoint needs one scenario; the patterns mean {}", chosen));
    }
    if (is_random(options.search.strategy.mode)) {
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

// A part of a search has a limit always; and random executions are divided by giving each machine a seed of its own.
void require_shard(const command_options& options) {
    if (options.search.shard.count == 0) return;
    if (options.strict) throw command_error(exit_code::usage, "--strict is for merge: a shard is a part of a search");
    if (is_random(options.search.strategy.mode)) {
        throw command_error(exit_code::usage,
                            "--shard needs a search of all executions; random ones are divided by --seed");
    }
}

void write_shard(const command_options& options, std::span<const search_job> work, const check_report& report) {
    if (options.search.shard.count == 0) return;
    shard_file file{.how = options.search, .engine = std::string(work.front().with->name()), .scenarios = {}};
    for (const search_job& job : work) {
        file.scenarios.push_back(job.what->name);
        const auto found = std::ranges::find(report.scenarios, job.what, &checked_scenario::what);
        file.results.push_back(found == report.scenarios.end() ? std::nullopt : std::optional(found->result));
    }
    file.write(options.shard.file);
}

// A trace and a picture are of one execution.
void require_one_shown(const command_options& options, std::size_t searches) {
    if (searches == 1) return;
    const char* const option = options.show > 0 ? "--show" : !options.pictures.empty() ? "a picture" : nullptr;
    if (option == nullptr) return;
    throw command_error(exit_code::usage, fmt::format("{} needs one scenario and one engine; this would be {} searches",
                                                      option, searches));
}

// What is shown in full: the example that was asked for, or the violation. Returns why there is none.
std::string show_one(const search_job& job, const command_options& options, checked_scenario& checked) {
    if (std::string why = show_example(job, options, checked); !why.empty()) return why;
    if (options.pictures.empty()) return {};
    const search_result& shown = checked.example ? checked.example->result : checked.result;
    const explanation& why = checked.example ? checked.example->why : checked.why;
    if (shown.trace.empty()) return "there is no violation to draw; --show N draws an execution with the N-th outcome";
    write_pictures(options, *checked.what, shown, why);
    return {};
}

// An order that is missing is named by the explanation: whether it is all that is missing, a few searches say.
void suggest_repairs(const command_options& options, std::span<const search_job> work, check_report& report) {
    constexpr double most_seconds = 5;
    const bool all_of_a_search =
        options.search.shard.count == 0 && options.search.checkpoint.file.empty() && !report.stopped_early;
    const bool every_execution =
        options.search.strategy.mode == search_mode::automatic || options.search.strategy.mode == search_mode::full;
    if (!all_of_a_search || !every_execution) return;
    const auto began = std::chrono::steady_clock::now();
    for (checked_scenario& each : report.scenarios) {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began;
        const double left = most_seconds - spent.count();
        if (left <= 0 || stop_requested()) return;
        const bool unexpected = each.result.verdict == verdict::violated && !each.as_expected && each.accept.empty();
        const auto job = std::ranges::find_if(
            work, [&](const search_job& one) { return one.what == each.what && one.with->name() == each.engine; });
        if (!unexpected || job == work.end()) continue;
        audit_options how;
        how.with = job->with;
        how.search = options.search;
        how.search.wanted.examples = how.search.wanted.atomic_states = false;
        how.isolation = {options.jobs, hard_limit_of(left)};
        each.repair = repair_of_violation(how, *each.what, each.result, left);
    }
}

}  // namespace

exit_code run_check(const command_options& options) { return check_chosen(chosen_scenarios(options), options); }

exit_code check_chosen(std::vector<const scenario*> chosen, const command_options& options) {
    require_writable(options);
    const std::vector<engine*> with = engines_for(options);
    require_able(with, options.search);
    require_shard(options);
    if (with.size() == 1) chosen = searched_by(*with.front(), std::move(chosen), options);
    require_one_search(options, with, chosen.size());
    std::vector<search_job> work;
    for (const scenario* each : chosen) {
        for (engine* one : with) {
            if (with.size() == 1 || searches(*one, *each)) work.push_back({each, one, options.search});
        }
    }
    require_one_shown(options, work.size());
    for (search_job& job : work) job.how.resources.jobs = shared_jobs(options.jobs, work.size());
    std::optional<file_lock> lock;
    if (!options.search.checkpoint.file.empty()) {
        lock.emplace(options.search.checkpoint.file);
        require_own_checkpoint(work.front());
    }
    check_report report = check_all(work, options);
    suggest_repairs(options, work, report);
    write_shard(options, work, report);
    report.lists_outcomes = options.outcomes;
    report.lists_coverage = options.coverage;
    const bool began = work.size() == 1 && report.scenarios.size() == 1;
    const std::string not_shown = began ? show_one(work.front(), options, report.scenarios.front()) : "";
    const exit_code code = conclude(std::move(report), options);
    if (!not_shown.empty()) throw command_error(exit_code::usage, not_shown);
    return code;
}

}  // namespace ordeal::detail
