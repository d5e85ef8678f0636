// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/report/text/client_groups.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

namespace ordeal::detail {

namespace {

bool means(std::string_view pattern, const client_set& set) {
    return matches_glob(pattern, set.name) || pattern == scenario_named(set.clients.front()->what.name)->subject;
}

std::vector<client_set*> chosen_sets(const command_options& options) {
    if (client_sets().empty())
        throw command_error(exit_code::usage, "this program declares no clients; ORDEAL_CLIENTS does");
    for (const std::string& pattern : options.patterns) {
        if (std::ranges::any_of(client_sets(), [&](const client_set& set) { return means(pattern, set); })) continue;
        std::vector<std::string> names;
        for (const client_set& set : client_sets()) names.push_back(set.name);
        throw command_error(exit_code::usage, fmt::format("no clients are named '{}'; did you mean '{}'?", pattern,
                                                          nearest(pattern, names)));
    }
    std::vector<client_set*> chosen;
    for (client_set& set : client_sets()) {
        const bool wanted = options.patterns.empty() || std::ranges::any_of(options.patterns, [&](const auto& pattern) {
                                return means(pattern, set);
                            });
        if (wanted) chosen.push_back(&set);
    }
    return chosen;
}

void take_clients(client_set& set, const command_options& options, std::uint64_t seed) {
    std::vector<client_size> sizes = options.clients.sizes.empty() ? set.sizes : options.clients.sizes;
    try {
        if (options.clients.drawn > 0) {
            set.take_drawn(std::move(sizes), options.clients.drawn, seed);
        } else if (!options.clients.sizes.empty()) {
            set.take_all(std::move(sizes));
        }
    } catch (const std::runtime_error& error) {
        throw command_error(exit_code::usage, fmt::format("clients of '{}': {}", set.name, error.what()));
    }
}

}  // namespace

std::vector<const scenario*> chosen_clients(const command_options& options, std::uint64_t seed) {
    std::set<std::string_view> names;
    for (client_set* const set : chosen_sets(options)) {
        take_clients(*set, options, seed);
        if (!options.quiet) say_line(fmt::format("{}: {}", set->name, words_of(*set)));
        names.insert(set->names.begin(), set->names.end());
    }
    std::vector<const scenario*> chosen;
    for (const scenario& each : scenarios()) {
        if (names.contains(each.name)) chosen.push_back(&each);
    }
    return chosen;
}

exit_code run_clients(const command_options& options) {
    return check_chosen(chosen_clients(options, options.search.strategy.seed), options);
}

}  // namespace ordeal::detail
