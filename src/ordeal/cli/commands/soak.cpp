// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/commands/stress_run.hpp"
#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/output_file.hpp"
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/seconds_since.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

namespace ordeal::detail {

namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr int schema = 2;
constexpr double round_seconds = 2;  // for each scenario, so that all of them come up often

struct soak_state {
    std::uint64_t first_seed = 0;
    soak_totals totals;
};

[[noreturn]] void does_not_fit(const std::string& file, const std::string& why) {
    throw command_error(exit_code::usage, fmt::format("cannot continue from '{}': {}", file, why));
}

// Of everything but itself.
std::string checksum_of(json value) {
    value.erase("checksum");
    const std::string text = json_text(value);
    return fmt::format("{:016x}", hash_of_bytes(reinterpret_cast<std::uintptr_t>(text.data()), text.size(), 0));
}

json to_json(const soak_state& state, const std::vector<stressed_scenario>& scenarios) {
    json entries = json::array();
    for (const stressed_scenario& each : scenarios) {
        entries.push_back({{"name", each.what->name}, {"seed", each.seed}, {"ran", parse_json(serialise(each.ran))}});
    }
    json value = {{"schema", schema},
                  {"tool", "ordeal"},
                  {"version", program_version()},
                  {"report", "soak"},
                  {"first_seed", state.first_seed},
                  {"rounds", state.totals.rounds},
                  {"seconds", state.totals.seconds},
                  {"scenarios", std::move(entries)}};
    value["checksum"] = checksum_of(value);
    return value;
}

void write(const std::string& file, const soak_state& state, const std::vector<stressed_scenario>& scenarios) {
    if (const auto why = output_file(file).write(json_text(to_json(state, scenarios), 1) + '\n')) {
        throw command_error(exit_code::incomplete, fmt::format("cannot write '{}': {}", file, *why));
    }
}

void take_over(const json& entries, const std::string& file, std::vector<stressed_scenario>& scenarios) {
    const bool same = std::ranges::equal(entries, scenarios, [](const json& entry, const stressed_scenario& each) {
        return entry.at("name") == each.what->name;
    });
    if (!same) does_not_fit(file, "it is of other scenarios; give the same patterns, or another file");
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        auto ran = deserialise(json_text(entries[i].at("ran")));
        if (!ran) does_not_fit(file, "it is damaged");
        entries[i].at("seed").get_to(scenarios[i].seed);
        scenarios[i].ran = std::move(*ran);
    }
}

// Nothing when there is no such file yet.
std::optional<soak_state> read(const std::string& file, std::vector<stressed_scenario>& scenarios) {
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error) return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    if (!in) does_not_fit(file, "it cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    soak_state state;
    try {
        const json value = parse_json(text.str());
        if (value.at("tool") != "ordeal" || value.at("report") != "soak") does_not_fit(file, "it is not of a soak");
        if (value.at("schema") != schema || value.at("version") != program_version()) {
            does_not_fit(file, "another version of this program wrote it");
        }
        if (value.at("checksum") != checksum_of(value)) does_not_fit(file, "it is damaged");
        value.at("first_seed").get_to(state.first_seed);
        value.at("rounds").get_to(state.totals.rounds);
        value.at("seconds").get_to(state.totals.seconds);
        take_over(value.at("scenarios"), file, scenarios);
    } catch (const json::exception&) {
        does_not_fit(file, "it is damaged, or not of a soak");
    }
    return state;
}

soak_state begin(const command_options& options, std::uint64_t seed, std::vector<stressed_scenario>& scenarios) {
    const std::string& file = options.stress.soak;
    const auto before = read(file, scenarios);
    if (!before) return {seed, {}};
    if (options.stress.seed && *options.stress.seed != before->first_seed) {
        does_not_fit(file, fmt::format("it began with seed {}", before->first_seed));
    }
    return *before;
}

}  // namespace

soak_totals soak(std::vector<stressed_scenario>& scenarios, const command_options& options, std::uint64_t seed,
                 watched_progress& progress) {
    const stress_options& how = options.stress;
    soak_state state = begin(options, seed, scenarios);
    const auto began = steady_clock::now();
    const double before = state.totals.seconds;
    while (!progress.interrupted()) {
        const double left = how.seconds - state.totals.seconds;
        if (how.seconds > 0 && left <= 0) break;
        const bool any = std::ranges::any_of(
            scenarios, [](const stressed_scenario& each) { return each.ran.verdict != verdict::violated; });
        if (!any) break;
        stress_round round{state.first_seed + state.totals.rounds,
                           round_seconds,
                           how.samples,
                           how.hang_timeout,
                           options.jobs,
                           options.show_output};
        if (how.seconds > 0) round.seconds = std::min(round_seconds, left);
        if (run_round(scenarios, round, progress.callback())) ++state.totals.rounds;
        state.totals.seconds = before + seconds_since(began);
        write(how.soak, state, scenarios);
    }
    return state.totals;
}

}  // namespace ordeal::detail
