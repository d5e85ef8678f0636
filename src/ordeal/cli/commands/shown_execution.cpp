// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/commands/shown_execution.hpp"

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <utility>

namespace ordeal::detail {

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
