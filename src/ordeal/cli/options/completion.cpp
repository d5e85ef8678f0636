// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/description.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace ordeal::detail {

namespace {

// "my-suite" -> "my_suite"
std::string identifier(std::string_view name) {
    std::string result;
    for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return result;
}

// Text between single quotes, each of these characters behind a backslash, and a quote as the shell has it.
std::string quoted(std::string_view text, std::string_view specials, std::string_view quote) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') {
            result += quote;
            continue;
        }
        if (specials.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result + '\'';
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& each : words) text += (text.empty() ? "" : " ") + each;
    return text;
}

std::string option_names(const std::vector<described_option>& options) {
    std::vector<std::string> names;
    for (const described_option& each : options) names.insert(names.end(), each.names.begin(), each.names.end());
    return joined(names);
}

std::vector<std::string> command_names(const described_program& of) {
    std::vector<std::string> names;
    for (const described_command& each : of.commands) names.push_back(each.name);
    return names;
}

// --- bash

std::string bash_value(const value_choices& choices, const std::string& function) {
    if (choices.files) return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    if (choices.scenarios) return function + "_scenarios";
    if (choices.values.empty()) return ":";
    std::string text = fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")", joined(choices.values));
    if (joined(choices.values).find('=') != std::string::npos)
        text += "; [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace";
    return text;
}

std::string bash_values(const described_command& command, const std::string& function) {
    std::string text;
    for (const described_option& option : command.options) {
        if (option.value.empty() || option.value_may_be_left_out) continue;
        std::string cases;
        for (const std::string& name : option.names) {
            cases += fmt::format("{}'{} {}'", cases.empty() ? "" : " | ", command.name, name);
        }
        text += fmt::format("        {}) {}; return ;;\n", cases, bash_value(option.choices, function));
    }
    return text;
}

std::string bash_script(const described_program& of) {
    const std::string function = "_" + identifier(of.name);
    std::string text = fmt::format("# bash completion of {0}, written by: {0} completion bash\n", of.name);
    text += fmt::format(R"({0}_scenarios() {{
    local name rest
    while read -r name rest; do
        [[ $name != "$current"* ]] || COMPREPLY+=("$name")
    done < <("${{COMP_WORDS[0]/#\~/$HOME}}" list --color never 2>/dev/null </dev/null | tail -n +2)
}}
{0}() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '{1} {2}' -- "$current")
        return
    fi
    # --json=FILE comes as three words
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]] && ((COMP_CWORD > 2)); then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case "$command $previous" in
)",
                        function, joined(command_names(of)), option_names(of.options));
    for (const described_command& each : of.commands) text += bash_values(each, function);
    text += "        *) ;;\n    esac\n    case $command in\n";
    for (const described_command& each : of.commands) {
        const std::string argument =
            each.arguments.empty() ? ":" : bash_value(each.arguments.front().choices, function);
        text += fmt::format(R"(        {})
            if [[ $current == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '{}' -- "$current")
            else
                {}
            fi ;;
)",
                            each.name, option_names(each.options), argument);
    }
    return text + fmt::format("        *) ;;\n    esac\n}}\ncomplete -F {} {}\n", function, of.name);
}

// --- zsh

std::string zsh_value(const value_choices& choices, const std::string& function) {
    if (choices.files) return "_files";
    if (choices.scenarios) return function + "_scenarios";
    if (choices.values.empty()) return " ";
    return "(" + joined(choices.values) + ")";
}

std::string zsh_text(std::string_view text) { return quoted(text, "[]:\\", "'\\''"); }

std::string zsh_option(const described_option& option, const std::string& function) {
    std::string text;
    for (const std::string& name : option.names) {
        std::string about = zsh_text(option.about);
        text += fmt::format(" \\\n                '*{}[{}]", name, about.substr(1, about.size() - 2));
        if (!option.value.empty()) {
            std::string value = zsh_text(option.value);
            text += fmt::format("{}{}:{}", option.value_may_be_left_out ? "::" : ":", value.substr(1, value.size() - 2),
                                zsh_value(option.choices, function));
        }
        text += '\'';
    }
    return text;
}

std::string zsh_script(const described_program& of) {
    const std::string function = "_" + identifier(of.name);
    std::string text = fmt::format("#compdef {0}\n# zsh completion of {0}, written by: {0} completion zsh\n", of.name);
    text += function + R"zsh(_scenarios() {
    local -a names=(${${${(f)"$(${~program} list --color never 2>/dev/null </dev/null)"}[2,-1]}%% *})
    compadd -a names
}
)zsh" + function +
            R"zsh(() {
    local program=$words[1]
    local -a commands=(
)zsh";
    for (const described_command& each : of.commands) {
        text += fmt::format("        {}\n", quoted(each.name + ":" + each.about, "\\", "'\\''"));
    }
    text +=
        "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n    case $command in\n";
    for (const described_command& each : of.commands) {
        text += fmt::format("        {})\n            _arguments", each.name);
        for (const described_option& option : each.options) text += zsh_option(option, function);
        for (const described_option& argument : each.arguments) {
            text +=
                fmt::format(" \\\n                '*:{}:{}'", argument.value, zsh_value(argument.choices, function));
        }
        text += " ;;\n";
    }
    // Read by compinit from the fpath it is the body of the function; sourced, it has to say whose it is.
    return text + fmt::format(
                      "    esac\n}}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n    {0} \"$@\"\nelse\n"
                      "    compdef {0} {1}\nfi\n",
                      function, of.name);
}

// --- fish

std::string fish_text(std::string_view text) { return quoted(text, "\\", "\\'"); }

std::string fish_value(const value_choices& choices, const std::string& function) {
    if (choices.files) return " -r -F";
    if (choices.scenarios) return fmt::format(" -x -a '({}_scenarios)'", function);
    if (choices.values.empty()) return " -x";
    return fmt::format(" -x -a {}", fish_text(joined(choices.values)));
}

std::string fish_script(const described_program& of) {
    const std::string function = "__" + identifier(of.name);
    const std::string complete = "complete -c " + of.name;
    std::string text = fmt::format("# fish completion of {0}, written by: {0} completion fish\n", of.name);
    text += fmt::format(R"(function {0}_scenarios
    set -l words (commandline -opc)
    $words[1] list --color never 2>/dev/null </dev/null | tail -n +2 | string replace -r ' .*' ''
end
{1} -f
)",
                        function, complete);
    for (const described_command& command : of.commands) {
        text +=
            fmt::format("{} -n __fish_use_subcommand -a {} -d {}\n", complete, command.name, fish_text(command.about));
        const std::string within = fmt::format("{} -n '__fish_seen_subcommand_from {}'", complete, command.name);
        for (const described_option& option : command.options) {
            text += within;
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            if (!option.value.empty() && !option.value_may_be_left_out) text += fish_value(option.choices, function);
            text += " -d " + fish_text(option.about) + '\n';
        }
        for (const described_option& argument : command.arguments) {
            if (argument.choices.scenarios || !argument.choices.values.empty()) {
                text += within + fish_value(argument.choices, function) + '\n';
            }
        }
    }
    return text;
}

}  // namespace

const std::vector<std::string>& completion_shells() {
    static const std::vector<std::string> shells{"bash", "zsh", "fish"};
    return shells;
}

std::string completion_script(const described_program& of, const std::string& shell) {
    if (shell == "zsh") return zsh_script(of);
    return shell == "fish" ? fish_script(of) : bash_script(of);
}

}  // namespace ordeal::detail
