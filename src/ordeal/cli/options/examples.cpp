// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/description.hpp"

#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ordeal::detail {

namespace {

struct known_example {
    std::string_view command;
    std::string_view arguments;  ///< @ is the name of this program
    std::string_view about;
    bool in_overview = false;
};

constexpr std::array known_examples{
    known_example{"list", "", "every scenario, with what it is about"},
    known_example{"list", "'task/*'", "scenarios by name; * stands for any characters", true},
    known_example{"list", "event --json out.json", "those of one subject, for programs"},
    known_example{"check", "", "check every scenario", true},
    known_example{"check", "event --json out.json", "those of one subject, with a report for programs", true},
    known_example{"check", "'task/*' --trace", "with the traces of expected violations too"},
    known_example{"check", "'task/*' --outcomes", "every outcome, each with an execution that ends with it"},
    known_example{"check", "task --engine all", "with every engine, compared by scenario"},
    known_example{"check", "task --time-budget 0 -j 8", "without a time limit, eight processes at a time"},
    known_example{"check", "--require-complete", "a search that its time budget cut short is a failure"},
    known_example{"check", "--markdown summary.md", "a report for the summary of a CI job"},
    known_example{"check", "task/x --checkpoint task.state", "a long search that goes on after it was interrupted"},
    known_example{"check", "task --search pct=10000 --seed 7", "random executions, the same ones each time"},
    known_example{"check", "task --shard 2/8 --shard-file 2.shard", "one part of eight, on a machine of its own"},
    known_example{"merge", "*.shard", "the report of the whole", true},
    known_example{"merge", "*.shard --junit check.xml", "the same, with a report for a CI"},
    known_example{"audit", "task", "which memory orders does it need?", true},
    known_example{"audit", "task --html task.html", "the same to look at, with the trace of each violation", true},
    known_example{"audit", "task --fix", "the change of the source that it suggests; --write applies it", true},
    known_example{"audit", "--baseline kept.json", "what differs from an earlier audit"},
    known_example{"audit", "task --model tso", "which orders would x86-64 need?"},
    known_example{"replay", "'o1:...'", "show one violation again", true},
    known_example{"replay", "'o1:...' --step", "step by step, with the source", true},
    known_example{"replay", "'o1:...' --debug", "in gdb, stopped at the violation", true},
    known_example{"replay", "'o1:...' --json trace.json", "its steps, for programs"},
    known_example{"replay", "'o1:...' --show-output", "with what the code on trial prints"},
    known_example{"stress", "task --seconds 20", "what do real threads show, and how often?", true},
    known_example{"stress", "task --seed 7 --samples 100000", "the same delays again, so many times"},
    known_example{"stress", "--soak nights.json", "round after round until interrupted", true},
    known_example{"try", "door.cpp", "compile a file with trials, and check them", true},
    known_example{"try", "door.cpp audit", "which memory orders do they need?"},
    known_example{"try", "door.cpp --quiet -- -O2 -Iinclude -lfmt", "with flags of the compiler, and a library"},
    known_example{"new", "trials_of_mine", "a project to begin with, in a new folder", true},
    known_example{"new", ". --name lock_free", "in this folder, which is empty"},
    known_example{"help", "check", "the options of a command"},
    known_example{"completion", "bash > ~/.local/share/bash-completion/completions/@",
                  "for every shell that begins from now on"},
    known_example{"completion", "zsh > ~/.zfunc/_@", "a folder of zsh's fpath"},
    known_example{"completion", "fish > ~/.config/fish/completions/@.fish", "the same for fish"},
    known_example{"man", "> @.1", "the manual page, for man(1)"},
    known_example{"man", "| man -l -", "to read it at once"},
};

}  // namespace

std::vector<example> examples_of(std::string_view command) {
    std::vector<example> result;
    for (const known_example& each : known_examples) {
        if (command.empty() ? !each.in_overview : each.command != command) continue;
        std::string line = fmt::format("{} {}", program_name(), each.command);
        if (!each.arguments.empty()) line += ' ';
        for (const char c : each.arguments) line += c == '@' ? program_name() : std::string(1, c);
        result.push_back({std::move(line), std::string(each.about)});
    }
    return result;
}

std::vector<example> exit_statuses() {
    return {{"0", "all as expected"},
            {"1",
             "a violation, a verdict other than the expected one, a difference from --baseline, or what --strict or "
             "--require-complete does not let pass"},
            {"2", "usage"},
            {"3", "engine not available"},
            {"4",
             "nothing ran, stopped early (a soak ends normally when interrupted), or a report, a fix, a project or "
             "standard output could not be written"}};
}

std::string help_footer(std::string_view command) {
    const std::vector<example> examples = examples_of(command);
    std::size_t width = 0;
    for (const example& each : examples) width = std::max(width, each.line.size());
    std::string text = "Examples:\n";
    for (const example& each : examples) text += fmt::format("  {:<{}}  {}\n", each.line, width, each.about);
    text += "\nExit status:\n";
    for (const example& each : exit_statuses()) text += fmt::format("  {}  {}\n", each.line, each.about);
    if (command.empty()) text += fmt::format("\n{} help COMMAND has the options of a command.\n", program_name());
    text.pop_back();
    return text;
}

}  // namespace ordeal::detail
