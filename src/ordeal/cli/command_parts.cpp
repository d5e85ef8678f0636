// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"

#include "ordeal/cli/patterns.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/persistence/replay_token.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/text/table.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace ordeal::detail {

namespace {

std::string engine_names() {
    std::string names;
    for (const engine* each : engines()) names.append(names.empty() ? "" : ", ").append(each->name());
    return names.empty() ? "none" : names;
}

}  // namespace

std::vector<const scenario*> chosen_scenarios(const command_options& options) {
    // Clients of other sizes than those that are declared become scenarios when they are named.
    for (const std::string& pattern : options.patterns) {
        const bool known =
            std::ranges::any_of(scenarios(), [&](const scenario& each) { return selects(pattern, each); });
        if (!known) (void)scenario_named(pattern.starts_with('=') ? pattern.substr(1) : pattern);
    }
    const auto all = scenarios();
    if (const auto name = duplicate_name(all)) {
        throw command_error(exit_code::usage, fmt::format("two scenarios have the name '{}'", *name));
    }
    if (!all.empty() && all.front().name.empty()) {  // they are sorted
        throw command_error(exit_code::usage, "a scenario has no name: what ORDEAL_SCENARIO was given is empty");
    }
    const auto idle = std::ranges::find_if(all, [](const scenario& each) { return each.threads.empty(); });
    if (idle != all.end()) {
        throw command_error(exit_code::usage, fmt::format("the scenario '{}' has no threads", idle->name));
    }
    selection selected = select(all, options.patterns);
    if (!selected.unknown) return std::move(selected.chosen);
    const std::string near = nearest_scenario(all, *selected.unknown);
    throw command_error(exit_code::usage,
                        fmt::format("no scenario matches '{}'{}", *selected.unknown,
                                    near.empty() ? "; this program has none" : "; did you mean '" + near + "'?"));
}

std::string engines_with(bool engine_features::* wanted) {
    std::string names;
    for (const engine* each : engines()) {
        if (each->features().*wanted) names.append(names.empty() ? "" : " or ").append(each->name());
    }
    return names.empty() ? "none" : names;
}

std::string no_real_threads_message() {
    return "it was compiled for the model alone; ordeal_add_suite() in place of ordeal_add_trial() makes a program "
           "NAME_stress, too, which runs it on real threads";
}

std::string no_policy_message() {
    return fmt::format("code without a policy can be searched by the {} engine only",
                       engines_with(&engine_features::code_without_policy));
}

bool searches(const engine& with, const scenario& what) noexcept {
    return !what.instrumented || with.features().code_without_policy;
}

std::vector<const scenario*> searched_by(const engine& with, std::vector<const scenario*> chosen,
                                         const command_options& options) {
    const std::size_t left_out = std::erase_if(chosen, [&](const scenario* each) {
        const bool named = std::ranges::any_of(options.patterns,
                                               [&](const std::string& pattern) { return is_name_of(pattern, *each); });
        return !named && !searches(with, *each);
    });
    if (left_out == 0) return chosen;
    if (chosen.empty()) throw command_error(exit_code::no_engine, no_policy_message());
    if (!options.quiet) say_line(fmt::format("{} left out: {}", counted(left_out, "scenario"), no_policy_message()));
    return chosen;
}

engine& chosen_engine(std::string_view name) {
    engine* const found = !name.empty() || engines().empty() ? find_engine(name) : engines().front();
    if (found != nullptr) return *found;
    if (name.empty()) throw command_error(exit_code::no_engine, "no engine is built into this program");
    throw command_error(exit_code::no_engine,
                        fmt::format("the engine '{}' is not in this program; it has: {}", name, engine_names()));
}

void require_able(std::span<engine* const> with, const search_options& how) {
    const auto require = [&](bool engine_features::* wanted, const std::string& lacks) {
        for (const engine* each : with) {
            if (each->features().*wanted) continue;
            throw command_error(exit_code::usage, fmt::format("the engine {} {}; give --engine {}", each->name(), lacks,
                                                              engines_with(wanted)));
        }
    };
    if (!uses_memory_orders(how.model)) {
        require(&engine_features::memory_models, fmt::format("has no --model {}", to_string(how.model)));
    }
    if (!how.accept.empty()) {
        require(&engine_features::acceptances, "cannot continue past a violation, as --accept asks");
    }
    if (how.bounds.spurious != search_options{}.bounds.spurious)
        require(&engine_features::spurious_failures, "has no --spurious");
    if (how.bounds.reuse != search_options{}.bounds.reuse) require(&engine_features::reuse, "has no --reuse");
    if (how.bounds.length != search_options{}.bounds.length) require(&engine_features::length, "has no --length");
    if (how.bounds.time_limits != search_options{}.bounds.time_limits)
        require(&engine_features::timeouts, "has no --timeouts");
    if (how.reductions != search_reductions{}) require(&engine_features::reductions, "has no --reductions");
    if (how.resources.memory != 0) require(&engine_features::memory_limit, "has no --memory");
    if (how.shard.count > 0) require(&engine_features::shards, "does not divide a search, as --shard asks for");
    if (is_random(how.strategy.mode) && how.strategy.mode != search_mode::random)
        require(&engine_features::samplers, "makes random executions by random=N alone");
    if (how.wanted.examples)
        require(&engine_features::examples, "keeps no execution for each outcome, as --outcomes asks for");
    if (how.wanted.atomic_states)
        require(&engine_features::examples, "does not tell what it covers, as --coverage asks for");
}

void name_unmet_acceptances(std::span<const accepted_violation> met, std::span<const acceptance> accept) {
    for (const acceptance& each : accept) {
        const bool found = std::ranges::any_of(
            met, [&](const accepted_violation& one) { return each.covers(one.kind, one.file, one.line); });
        if (!found) say_line("accepted, but not met: --accept '" + escaped(to_string(each)) + "' matched no violation");
    }
}

text_style style_of(const command_options& options) {
    const std::size_t width = text_width();
    if (options.colour != colour_choice::automatic) return text_style(options.colour == colour_choice::always, width);
    const char* const no_colour = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    if (no_colour != nullptr && *no_colour != '\0') return text_style(false, width);
    return text_style(isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb", width);
}

double hard_limit_of(double budget) noexcept {
    constexpr double spare = 8;  // more than the engine itself takes to notice a loop without a step
    return budget > 0 ? budget * 1.5 + spare : 0;
}

std::string token_text(std::string_view engine, memory_model model, std::string_view scenario,
                       const std::vector<order_override>& overrides, const std::optional<choices>& path) {
    if (!path) return {};
    return to_text({std::string(engine), std::string(scenario), overrides, *path, model}).value_or("");
}

progress_callback watched_progress::callback() {
    return [this](const isolation_progress& now) {
        if (watch_.interrupted()) {
            display_.stopping();
        } else {
            display_.show(now);
        }
        return watch_.interrupted();
    };
}

}  // namespace ordeal::detail
