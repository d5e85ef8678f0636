// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace ordeal::detail {

namespace {

const scenario& scenario_of_shards(const std::string& name) {
    const scenario* const found = scenario_named(name);
    if (found == nullptr) {
        throw command_error(exit_code::usage,
                            fmt::format("the shards have the scenario '{}', which is not here", name));
    }
    return *found;
}

std::vector<const search_result*> results_of(std::size_t scenario, const std::vector<shard_file>& shards) {
    std::vector<const search_result*> result;
    for (const shard_file& each : shards) {
        const auto& of_shard = each.results[scenario];
        result.push_back(of_shard ? &*of_shard : nullptr);
    }
    return result;
}

// A process that died, say, told nothing of what it had counted: what it ended with is the result, unless the parts
// that there are show a violation.
std::optional<search_result> without_part(const std::vector<const search_result*>& shards,
                                          const search_result& merged) {
    if (merged.verdict == verdict::violated) return std::nullopt;
    const auto died = [](const search_result* of) {
        return of != nullptr && of->part.empty() && of->verdict == verdict::violated;
    };
    auto found = std::ranges::find_if(shards, died);
    const bool none_has_a_part =
        std::ranges::none_of(shards, [](const search_result* of) { return of != nullptr && !of->part.empty(); });
    if (found == shards.end() && none_has_a_part) {
        found = std::ranges::find_if(shards, [](const search_result* of) { return of != nullptr; });
    }
    if (found == shards.end()) return std::nullopt;
    search_result result = **found;
    result.executions = merged.executions;
    return result;
}

}  // namespace

exit_code run_merge(const command_options& options) {
    require_writable(options);
    const std::vector<shard_file> shards = all_shards(options.shard.files);
    command_options of_check = options;
    of_check.search = shards.front().how;
    of_check.search.shard.index = of_check.search.shard.count = 0;
    of_check.search.resources.seconds = 0;
    engine& with = chosen_engine(shards.front().engine);
    // A client may become a scenario when it is named, and then others are no longer where they were.
    for (const std::string& each : shards.front().scenarios) (void)scenario_of_shards(each);
    std::vector<search_job> work;
    for (std::size_t i = 0; i < shards.front().scenarios.size(); ++i) {
        work.push_back({&scenario_of_shards(shards.front().scenarios[i]), &with, of_check.search});
        for (const search_result* each : results_of(i, shards)) {
            work.back().how.shard.parts.push_back(each == nullptr ? "" : each->part);
        }
    }
    check_report report = check_all(work, of_check);
    for (std::size_t i = 0; i < work.size(); ++i) {
        const auto merged = std::ranges::find(report.scenarios, work[i].what, &checked_scenario::what);
        if (merged == report.scenarios.end() || merged->refused) continue;
        const auto of_shards = results_of(i, shards);
        if (const auto instead = without_part(of_shards, merged->result)) *merged = checked(work[i], *instead);
        merged->result.seconds = 0;
        for (const search_result* each : of_shards) merged->result.seconds += each == nullptr ? 0 : each->seconds;
    }
    report.lists_outcomes = of_check.search.wanted.examples;
    report.lists_coverage = of_check.search.wanted.atomic_states;
    return conclude(std::move(report), of_check);
}

}  // namespace ordeal::detail
