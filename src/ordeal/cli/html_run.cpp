// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/report/called_as.hpp"
#include "ordeal/report/search_facts.hpp"

#include <fmt/format.h>

namespace ordeal::detail {

namespace {

std::string seconds(double value) { return value > 0 ? fmt::format("{:g} s", value) : "no limit"; }

}  // namespace

html_run html_run_of(const command_options& options) {
    html_run run;
    run.program = called_as();
    const auto say = [&](const char* name, std::string value) { run.asked.emplace_back(name, std::move(value)); };
    if (options.what == command::replay) return run;
    say("scenarios", options.patterns.empty() ? "all" : fmt::format("{}", fmt::join(options.patterns, " ")));
    if (options.what == command::stress) {
        const stress_options& how = options.stress;
        if (how.soak.empty()) say("time", seconds(how.seconds));
        if (how.samples > 0) say("samples", std::to_string(how.samples));
        return run;
    }
    const search_options& how = options.search;
    say("engine", options.engine.empty() ? std::string(chosen_engine("").name()) : options.engine);
    say("model", std::string(to_string(how.model)));
    say("search", search_argument(how));
    if (const auto seed = seed_of(how)) say("seed", std::to_string(*seed));
    say("time budget for each search", seconds(how.seconds));
    for (const acceptance& each : how.accept) say("accepted", to_string(each));
    return run;
}

}  // namespace ordeal::detail
