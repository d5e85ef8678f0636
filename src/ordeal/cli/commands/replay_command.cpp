// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/debugger/debugger.hpp"
#include "ordeal/cli/debugger/step_walk.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/execution/debug_stop.hpp"
#include "ordeal/engine/persistence/replay_token.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <set>
#include <utility>

namespace ordeal::detail {

namespace {

const scenario& scenario_of(const replay_token& token) {
    if (const scenario* const found = scenario_named(token.scenario)) return *found;
    const std::string near = nearest_scenario(scenarios(), token.scenario);
    throw command_error(exit_code::usage,
                        fmt::format("the replay token is of the scenario '{}', which this program does not have{}",
                                    token.scenario, near.empty() ? "" : "; the nearest is '" + near + "'"));
}

bool is_at(const order_override& change, const site& where) {
    return where.atomic && where.key.file == change.site.file && where.key.what == change.site.what &&
           (!change.declared || where.declared == *change.declared);
}

// Compilers differ in the column of an operation. Where there is one that can be meant in the line, it is meant.
bool place_anew(order_override& change, const std::vector<reached_site>& sites) {
    std::set<std::uint32_t> columns;
    for (const reached_site& each : sites) {
        const site_key& key = each.where.key;
        if (is_at(change, each.where) && key.line == change.site.line) columns.insert(key.column);
    }
    if (columns.size() != 1) return false;
    change.site.column = *columns.begin();
    return true;
}

std::string nearest_site(const order_override& change, const std::vector<reached_site>& sites) {
    std::optional<std::uint32_t> nearest;
    const auto distance = [&](std::uint32_t line) {
        return std::abs(static_cast<std::int64_t>(line) - static_cast<std::int64_t>(change.site.line));
    };
    for (const reached_site& each : sites) {
        const std::uint32_t line = each.where.key.line;
        if (is_at(change, each.where) && (!nearest || distance(line) < distance(*nearest))) nearest = line;
    }
    if (!nearest) return fmt::format(": this execution has no {} in that file", to_string(change.site.what));
    return fmt::format(": the nearest {} is in line {}", to_string(change.site.what), *nearest);
}

// An override that meets no site changes nothing, one that meets several changes too much: what would be shown is not
// what the token stands for. Returns whether some were placed anew.
bool meet_all(std::vector<order_override>& overrides, const search_result& result) {
    bool placed = false;
    if (result.sites.empty()) return placed;
    for (order_override& change : overrides) {
        const std::string problem = problem_of(change, result.sites);
        if (problem.empty()) continue;
        const bool somewhere =
            std::ranges::any_of(result.sites, [&](const reached_site& each) { return concerns(change, each.where); });
        if (!somewhere && place_anew(change, result.sites)) {
            placed = true;
            continue;
        }
        throw command_error(exit_code::usage, fmt::format("cannot replay: {}{}; the code has changed", problem,
                                                          somewhere ? "" : nearest_site(change, result.sites)));
    }
    return placed;
}

search_result searched(const search_job& job, const command_options& options) {
    std::optional<search_result> found = replayed(job, options);
    if (!found) throw command_error(exit_code::incomplete, "stopped early");
    return std::move(*found);
}

// Of a violation the report has it among its limits.
void say_what_changed(const search_result& result) {
    const auto changed = std::ranges::find(result.limits, "code-changed", &limit::id);
    if (result.verdict == verdict::violated || changed == result.limits.end()) return;
    say_line(escaped(changed->sentence));
}

// With a report on standard output there is no room for the walk, or for gdb.
void require_room(const command_options& options) {
    if ((options.replay.step || options.replay.debug) && has_report_on_standard_output(options)) {
        throw command_error(exit_code::usage, fmt::format("{} and a report on standard output exclude each other",
                                                          options.replay.step ? "--step" : "--debug"));
    }
}

// The one that runs code without a policy is the one that stops for a debugger.
void require_stops(const engine& with, const command_options& options) {
    if (!options.replay.debug || with.features().code_without_policy) return;
    throw command_error(exit_code::no_engine, fmt::format("the engine {} has no --debug; {} has", with.name(),
                                                          engines_with(&engine_features::code_without_policy)));
}

void walk_along(const replay_report& report, const command_options& options) {
    const text_style style = style_of(options);
    step_walk steps(*report.what, report.result, report.why, style);
    walk(steps, std::cin, std::cout, isatty(STDIN_FILENO) == 0);
    if (!std::cout.flush()) throw command_error(exit_code::incomplete, "cannot write standard output");
}

// By its number or letter; the last one, which is the violation, where none is asked for.
std::size_t step_to_stop_at(const replay_report& report, const command_options& options, const text_style& style) {
    const trace& steps = report.result.trace;
    if (steps.empty()) throw command_error(exit_code::usage, "there is no step at which to stop: it left no trace");
    if (options.replay.at.empty()) {
        if (report.result.verdict == verdict::violated) return steps.size() - 1;
        throw command_error(exit_code::usage, "no violation in this execution; --at says at which step to stop");
    }
    const auto found = step_walk(*report.what, report.result, report.why, style).find(options.replay.at);
    if (found) return *found;
    throw command_error(exit_code::usage, fmt::format("--at: no step of this trace is '{}'", options.replay.at));
}

void debug(const replay_report& report, const replay_token& token, const command_options& options) {
    const text_style style(false);
    const std::size_t stop = step_to_stop_at(report, options, style);
    const step_walk steps(*report.what, report.result, report.why, style);
    const trace_step& step = report.result.trace[stop];
    debugger_session session;
    session.token = to_text(token).value_or(options.token);
    for (const acceptance& each : options.search.accept) {
        session.arguments.insert(session.arguments.end(), {"--accept", to_string(each)});
    }
    session.step = step.index;
    session.file = step.where.key.file;
    session.line = step.where.key.line;
    session.apart = report.what->instrumented;
    session.banner = steps.title(stop);
    if (stop + 1 == report.result.trace.size() && !report.result.message.empty()) {
        session.banner += ": " + words(report.result) + ": " + report.result.message;
    }
    session.commands = options.replay.gdb;
    run_debugger(session);
}

replay_report report_of(const search_job& job, const replay_token& token, const command_options& options,
                        search_result result) {
    explanation why = explain(*job.what, result);
    return {job.what,          token.engine,   token.model,   options.token, job.how.mutant.overrides,
            std::move(result), job.how.accept, std::move(why)};
}

// In the debugger, with nothing between it and the code on trial. What that has left behind is not put in order.
[[noreturn]] void run_debugged(const search_job& job, const replay_token& token, const command_options& options) {
    search_progress progress;
    const replay_report report = report_of(job, token, options, job.with->search(*job.what, job.how, progress));
    write_reports(options, report, &report_format::replay);
    std::_Exit(
        static_cast<int>(report.result.verdict == verdict::violated ? exit_code::violation : exit_code::as_expected));
}

}  // namespace

exit_code run_replay(const command_options& options) {
    const parsed_token parsed = parse_token(options.token);
    if (!parsed.token) throw command_error(exit_code::usage, parsed.error);
    const replay_token& token = *parsed.token;
    std::vector<order_override> overrides = token.overrides;
    engine& with = chosen_engine(token.engine);
    const scenario& what = scenario_of(token);
    require_room(options);
    require_stops(with, options);
    require_writable(options);

    search_options how;
    how.mutant.overrides = overrides;
    how.replay = token.path;
    how.model = token.model;
    how.accept = options.search.accept;
    search_job job{&what, &with, how};
    if (take_debug_stop()) run_debugged(job, token, options);
    search_result result = searched(job, options);
    if (meet_all(overrides, result)) {
        job.how.mutant.overrides = overrides;
        result = searched(job, options);
    }
    if (result.verdict == verdict::inconclusive) {
        throw command_error(exit_code::usage, fmt::format("cannot replay: {}", result.message));
    }
    say_what_changed(result);
    const replay_report report = report_of(job, token, options, std::move(result));
    if (options.replay.debug) {
        replay_token placed = token;
        placed.overrides = overrides;
        debug(report, placed, options);
    }
    const bool walks = options.replay.step && !report.result.trace.empty();  // a crash may have left no step
    if (walks) walk_along(report, options);
    write_pictures(options, what, report.result, report.why);
    const bool shown = walks || options.replay.debug;
    write_reports(options, [&](const report_format& format, const report_context& context) {
        return shown && &format == &text_format() ? std::string() : format.replay(report, context);
    });
    return report.result.verdict == verdict::violated ? exit_code::violation : exit_code::as_expected;
}

}  // namespace ordeal::detail
