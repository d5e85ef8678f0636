// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands.hpp"
#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/token.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/report/json.hpp"
#include "ordeal/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr double replay_limit = 30;  // seconds; one execution

const scenario& scenario_of(const replay_token& token) {
    const auto all = scenarios();
    const auto found = std::ranges::find(all, token.scenario, &scenario::name);
    if (found != all.end()) return *found;
    const std::string near = nearest_scenario(all, token.scenario);
    throw command_error(exit_code::usage,
                        fmt::format("the replay token is of the scenario '{}', which this program does not have{}",
                                    token.scenario, near.empty() ? "" : "; the nearest is '" + near + "'"));
}

// An override that meets no site changes nothing, one that meets several changes too much: what would be shown is not what
// the token stands for.
void require_all_met(const replay_token& token, const search_result& result) {
    if (result.sites.empty()) return;
    for (const order_override& change : token.overrides) {
        const std::string problem = problem_of(change, result.sites);
        if (problem.empty()) continue;
        throw command_error(exit_code::usage, fmt::format("cannot replay: {}; the code has changed", problem));
    }
}

}  // namespace

exit_code run_replay(const command_options& options) {
    const parsed_token parsed = parse_token(options.token);
    if (!parsed.token) throw command_error(exit_code::usage, parsed.error);
    const replay_token& token = *parsed.token;
    engine& with = chosen_engine(token.engine);
    const scenario& what = scenario_of(token);
    require_writable(options);

    search_options how;
    how.overrides = token.overrides;
    how.replay = token.path;
    how.model = token.model;
    how.accept = options.search.accept;
    const search_job job{&what, &with, how};
    replay_report report{&what, token.engine, token.model, options.token, token.overrides, {}, how.accept};
    watched_progress progress(true);
    const bool finished = run_isolated({&job, 1}, {}, {1, replay_limit, options.show_output}, progress.callback(),
                                       [&](std::size_t, const search_result& result) {
                                           report.result = result;
                                           return false;
                                       });
    if (!finished) throw command_error(exit_code::incomplete, "stopped early");
    if (report.result.verdict == verdict::inconclusive) {
        throw command_error(exit_code::usage, fmt::format("cannot replay: {}", report.result.message));
    }
    require_all_met(token, report.result);
    write_reports(
        options, [&] { return replay_text(report, {style_of(options), true, options.all_steps}); },
        [&] { return replay_json(report); }, [&] { return replay_html(report, html_run_of(options)); });
    return report.result.verdict == verdict::violated ? exit_code::violation : exit_code::as_expected;
}

}  // namespace ordeal::detail
