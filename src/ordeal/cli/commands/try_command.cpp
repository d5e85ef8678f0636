// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal try`: sources without a project are trials, and what they make runs in place of this process.
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/compiler_words.hpp"
#include "ordeal/cli/kept_project.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

// "ordeal try door.cpp", which lines to paste begin with.
std::string call_of(const built_options& options) {
    std::string result = called_as() + " try" + shell_words(options.sources);
    if (!options.flags.empty()) result += " --" + shell_words(options.flags) + " --";
    return result;
}

}  // namespace

exit_code run_try(const command_options& options) {
    const built_options& tried = options.built;
    std::vector<compiler_flag> compiled;
    std::vector<compiler_flag> linked;
    for (const compiler_flag& each : flags_of(tried.flags)) (is_for_linker(each) ? linked : compiled).push_back(each);

    kept_project project;
    project.command = "try";
    project.name = project.program = target_name(tried.sources.front());
    project.in_c = std::ranges::any_of(tried.sources, [](const std::string& each) { return each.ends_with(".c"); });
    project.targets =
        fmt::format("ordeal_add_trial({} SOURCES{}\n  OPTIONS{}\n  LIBRARIES{})\nordeal_see_relacy_suites({})\n",
                    project.name, cmake_quoted(readable_sources(tried.sources)), cmake_quoted(cmake_words(compiled)),
                    cmake_quoted(cmake_words(linked)), project.name);
    build_and_become(project, call_of(tried), tried.command);
}

}  // namespace ordeal::detail
