// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/commands/stress_run.hpp"
#include "ordeal/cli/files/files.hpp"
#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/engine/seconds_since.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <random>

namespace ordeal::detail {

namespace {

std::uint64_t seed_of(const command_options& options) {
    if (options.stress.seed) return *options.stress.seed;
    const std::uint64_t drawn = std::random_device()();
    if (!options.quiet) say_line(fmt::format("seed {}", drawn));
    return drawn;
}

std::string repeat_options(const stress_options& how) {
    std::string text;
    if (how.samples > 0) text += fmt::format(" --samples {}", how.samples);
    if (how.seconds > 0 && how.soak.empty()) text += fmt::format(" --seconds {:g}", how.seconds);
    if (how.hang_timeout != stress_options{}.hang_timeout) text += fmt::format(" --patience {:g}", how.hang_timeout);
    return text;
}

void require_sense(const command_options& options) {
    require_writable(options);
    const stress_options& how = options.stress;
    if (!how.soak.empty() || how.seconds > 0 || how.samples > 0) return;
    throw command_error(exit_code::usage, "--seconds 0 would never end; give --samples, or --soak FILE");
}

// Takes out what was not begun, and judges the rest.
void conclude(stress_report& report, std::vector<stressed_scenario>&& scenarios) {
    for (stressed_scenario& each : scenarios) {
        const search_result& ran = each.ran;
        if (ran.executions == 0 && ran.verdict == verdict::inconclusive && (ran.stopped || ran.message.empty())) {
            ++report.not_begun;
            continue;
        }
        judge(each);
        report.scenarios.push_back(std::move(each));
    }
}

stress_report stress(const command_options& options, std::vector<stressed_scenario> scenarios, std::uint64_t seed) {
    const auto began = std::chrono::steady_clock::now();
    const stress_options& how = options.stress;
    stress_report report;
    report.repeat = repeat_options(how);
    report.soak = how.soak;
    watched_progress progress(options.quiet);
    const bool asked = ask_the_model(scenarios, options.jobs, progress.callback());
    if (!how.soak.empty()) {
        const soak_totals totals = soak(scenarios, options, seed, progress);
        report.rounds = totals.rounds;
        report.seconds = totals.seconds;
    } else {
        const stress_round round{seed, how.seconds, how.samples, how.hang_timeout, options.jobs, options.show_output};
        report.stopped_early = !asked || !run_round(scenarios, round, progress.callback());
        report.seconds = seconds_since(began);
    }
    progress.clear();
    conclude(report, std::move(scenarios));
    return report;
}

}  // namespace

exit_code run_stress(const command_options& options) {
    require_sense(options);
    const bool of_clients = !options.clients.sizes.empty() || options.clients.drawn > 0;
    const std::uint64_t seed = seed_of(options);
    const std::vector<const scenario*> chosen = of_clients ? chosen_clients(options, seed) : chosen_scenarios(options);
    std::vector<stressed_scenario> scenarios = scenarios_to_stress(chosen, options.patterns);
    if (scenarios.empty()) {
        const bool none_can =
            std::ranges::all_of(chosen, [](const scenario* each) { return each->real.run == nullptr; });
        throw command_error(exit_code::incomplete,
                            none_can
                                ? fmt::format("cannot run '{}': {}", chosen.front()->name, no_real_threads_message())
                                : "every scenario that matches is expected to be violated; name one exactly to "
                                  "run it");
    }
    std::optional<file_lock> lock;
    if (!options.stress.soak.empty()) lock.emplace(options.stress.soak);
    const stress_report report = stress(options, std::move(scenarios), seed);
    write_reports(options, report, &report_format::stress);
    if (report.unexpected() > 0) return exit_code::violation;
    if (report.stopped_early || report.scenarios.empty()) return exit_code::incomplete;
    return exit_code::as_expected;
}

}  // namespace ordeal::detail
