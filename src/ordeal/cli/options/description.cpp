// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/description.hpp"

#include "ordeal/cli/options/option_values.hpp"
#include "ordeal/engine/engines.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <CLI/CLI.hpp>

namespace ordeal::detail {

namespace {

bool has_name(const described_option& option, std::string_view name) {
    return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
}

std::vector<std::string> engine_words(bool with_all) {
    std::vector<std::string> words;
    for (const engine* each : engines()) words.emplace_back(each->name());
    if (with_all) words.emplace_back("all");
    return words;
}

std::vector<std::string> reduction_values() {
    std::vector<std::string> values{"all", "none"};
    for (const reduction_name& each : reduction_names()) values.emplace_back(each.name);
    for (const reduction_name& each : reduction_names()) values.push_back("all,-" + std::string(each.name));
    return values;
}

value_choices choices_of(const described_option& option, const std::string& command) {
    // The test cases of a program that is not built yet are not known; its sources are.
    const bool is_file = option.value == "FILE" || option.value == "DIR";
    if (is_file || (command == "test" && option.value == "PATTERN")) return {.files = true};
    if (has_name(option, "--framework")) return {.values = test_frameworks()};
    if (option.value == "PATTERN") return {.scenarios = true};
    if (option.value == "SHELL") return {.values = completion_shells()};
    if (has_name(option, "--color")) return {.values = {"auto", "always", "never"}};
    if (has_name(option, "--model")) {
        constexpr auto ids = memory_model_ids();
        return {.values = {ids.begin(), ids.end()}};
    }
    if (has_name(option, "--reductions")) return {.values = reduction_values()};
    if (has_name(option, "--search"))
        return {.values = {"auto", "full", "preemptions=", "random=", "pct=", "pos=", "surw="}};
    if (has_name(option, "--engine")) return {.values = engine_words(command == "check")};
    return {};
}

described_option option_of(const CLI::Option& option, const std::string& command) {
    described_option result;
    for (const std::string& each : option.get_snames()) result.names.push_back("-" + each);
    for (const std::string& each : option.get_lnames()) result.names.push_back("--" + each);
    if (option.get_items_expected_max() > 0) {
        result.value = option.get_type_name();
        result.value_may_be_left_out = option.get_items_expected_min() == 0;
        result.usual = option.get_default_str();
    }
    result.about = option.get_description();
    result.choices = choices_of(result, command);
    return result;
}

}  // namespace

described_program describe(const CLI::App& app) {
    described_program result;
    result.name = program_name();
    result.about = app.get_description();
    const auto all = [](const CLI::Option* each) { return !each->get_group().empty(); };  // others are hidden
    for (const CLI::Option* each : app.get_options(all)) result.options.push_back(option_of(*each, {}));
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        described_command command;
        command.name = sub->get_name();
        command.about = sub->get_description();
        for (const CLI::Option* each : sub->get_options(all)) {
            auto& into = each->nonpositional() ? command.options : command.arguments;
            into.push_back(option_of(*each, command.name));
        }
        result.commands.push_back(std::move(command));
    }
    for (described_command& command : result.commands) {
        for (described_option& each : command.arguments) {
            if (each.value != "COMMAND") continue;
            for (const described_command& other : result.commands) each.choices.values.push_back(other.name);
        }
    }
    return result;
}

}  // namespace ordeal::detail
