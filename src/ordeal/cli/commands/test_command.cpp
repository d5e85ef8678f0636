// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ordeal test`: the command that builds a program of tests builds it for the model, as ordeal_add_tests() does.
#include "ordeal/cli/command_parts.hpp"
#include "ordeal/cli/commands/commands.hpp"
#include "ordeal/cli/compiler_words.hpp"
#include "ordeal/cli/kept_project.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

compiler_command command_of(const built_options& options) {
    if (options.sources.empty()) return parse_compiler_command(options.flags);
    // The sources alone, which stand for a command.
    std::vector<std::string> words{"c++"};
    words.insert(words.end(), options.sources.begin(), options.sources.end());
    words.insert(words.end(), options.flags.begin(), options.flags.end());
    return parse_compiler_command(words);
}

// "ordeal test -- c++ -O1 door_test.cpp -lgtest --", which lines to paste begin with.
std::string call_of_tests(const built_options& options) {
    std::string result = called_as() + " test";
    if (!options.framework.empty()) result += " --framework " + options.framework;
    for (const std::string& each : options.allow_unseen) result += " --allow-unseen " + shell_word(each);
    result += shell_words(options.sources);
    if (!options.flags.empty()) result += " --" + shell_words(options.flags) + " --";
    return result;
}

// The values of these flags, which are taken out: CMake has a property for them, by which the listener of the framework
// is compiled, too.
std::vector<std::string> taken(std::vector<compiler_flag>& from, std::string_view name) {
    std::vector<std::string> result;
    for (const compiler_flag& each : from) {
        if (each.name == name) result.push_back(each.value);
    }
    std::erase_if(from, [&](const compiler_flag& each) { return each.name == name; });
    return result;
}

// target_compile_options(door_test PRIVATE "-O1"), and the like; none for no words.
std::string call(std::string_view function, const std::string& target, const std::vector<std::string>& words) {
    return words.empty() ? "" : fmt::format("{}({} PRIVATE{})\n", function, target, cmake_quoted(words));
}

}  // namespace

exit_code run_test(const command_options& options) {
    const built_options& tested = options.built;
    compiler_command command = command_of(tested);
    const std::vector<std::string> sources = readable_sources(command.sources);
    const auto is_c = [](const std::string& each) { return each.ends_with(".c"); };

    kept_project project;
    project.command = "test";
    project.name = target_name(command.output.empty() ? sources.front() : command.output);
    project.program = project.name + ".ordeal";
    project.in_c = !command.all_in_cxx && std::ranges::any_of(sources, is_c);

    const std::string& target = project.name;
    // Of a definition that is taken back the order counts.
    const bool takes_back =
        std::ranges::any_of(command.flags, [](const compiler_flag& each) { return each.name == "-U"; });
    std::string text = fmt::format("add_executable({} EXCLUDE_FROM_ALL{})\n", target, cmake_quoted(sources));
    if (command.all_in_cxx && std::ranges::any_of(sources, is_c)) {
        text += fmt::format("set_source_files_properties({} PROPERTIES LANGUAGE CXX)\n", cmake_quoted(sources));
    }
    text += call("target_include_directories", target, taken(command.flags, "-I"));
    text += call("target_include_directories", target + " SYSTEM", taken(command.flags, "-isystem"));
    if (!takes_back) text += call("target_compile_definitions", target, taken(command.flags, "-D"));
    text += call("target_compile_options", target, cmake_words(command.flags));
    text += call("target_link_libraries", target, cmake_words(command.linked));
    if (!tested.sources.empty()) text += fmt::format("ordeal_link_framework({})\n", target);
    text += fmt::format("ordeal_add_tests(TARGET {}{}{})\n", target,
                        tested.framework.empty() ? "" : " FRAMEWORK " + tested.framework,
                        tested.allow_unseen.empty() ? "" : " ALLOW_UNSEEN" + cmake_quoted(tested.allow_unseen));
    // Which framework it is, the sources say.
    text += fmt::format("set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS{})\n", cmake_quoted(sources));
    project.targets = std::move(text);
    build_and_become(project, call_of_tests(tested), tested.command);
}

}  // namespace ordeal::detail
