// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/description.hpp"

#include "ordeal/cli/standard_streams.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/text/trace_layout.hpp"
#include "ordeal/scenario/registration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

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
    known_example{"check", "task/x --checkpoint search.state", "a long search that goes on after it was interrupted"},
    known_example{"check", "task --search pos=10000 --seed 7", "random executions, the same ones each time"},
    known_example{"check", "task --shard 2/8 --shard-file 2.shard", "one part of eight, on a machine of its own"},
    known_example{"clients", "", "all clients of the classes that declare some", true},
    known_example{"clients", "ring --sizes 2x3,3x2", "those of one class, of other sizes"},
    known_example{"clients", "ring --sizes 4x4 --drawn 50 --seed 7", "some of larger ones, at random"},
    known_example{"merge", "*.shard", "the report of the whole", true},
    known_example{"merge", "*.shard --junit check.xml", "the same, with a report for a CI"},
    known_example{"audit", "task", "which memory orders does it need?", true},
    known_example{"audit", "task --html audit.html", "the same to look at, with the trace of each violation", true},
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
    known_example{"test", "-- c++ -O1 door_test.cpp door.cpp -lgtest_main -lgtest",
                  "existing tests, by what builds them", true},
    known_example{"test", "'door_test.*' --quiet -- c++ door_test.cpp -lgtest_main -lgtest", "some of the test cases"},
    known_example{"test", "door_test.cpp", "sources alone: the libraries of their framework are linked"},
    known_example{"test", "audit -- c++ door_test.cpp -lgtest_main -lgtest", "which memory orders do they need?"},
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

bool is_ordeal_itself() { return program_name() == "ordeal" || program_name() == "ordeal-mpi"; }

namespace {

// The examples are about ordeal's own subjects; those of another program are others.
std::string with_own_subject(std::string_view arguments) {
    const std::string subject = scenarios().empty() ? "" : scenarios().front().subject;
    const bool is_plain = !subject.empty() && shell_word(subject) == subject;
    std::string result(arguments);
    if (is_ordeal_itself() || !is_plain) return result;
    for (const std::string_view own : {"task/*", "task/x", "task", "event"}) {
        if (!result.starts_with(own) && !result.starts_with('\'' + std::string(own))) continue;
        const bool is_one = own == "task/x";
        const std::string with =
            is_one ? shell_word(scenarios().front().name) : subject + (own.ends_with('*') ? "*" : "");
        result.replace(result.find(own), own.size(), with);
        break;
    }
    return result;
}

}  // namespace

std::vector<example> examples_of(std::string_view command) {
    std::vector<example> result;
    for (const known_example& each : known_examples) {
        if (command.empty() ? !each.in_overview : each.command != command) continue;
        if (command.empty() && !is_ordeal_itself() &&
            (each.command == "new" || each.command == "try" || each.command == "test"))
            continue;
        std::string line = fmt::format("{} {}", program_name(), each.command);
        if (!each.arguments.empty()) line += ' ';
        for (const char c : with_own_subject(each.arguments)) line += c == '@' ? program_name() : std::string(1, c);
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

namespace {

// Asked once: every start of the program makes the help of every command.
std::size_t help_width() {
    static const std::size_t width = text_width();
    return width;
}

}  // namespace

std::string help_row(std::string_view typed, std::string_view about, std::size_t column) {
    constexpr std::size_t gap = 2;
    std::string text = fmt::format("  {:<{}}", typed, column - 2);
    const bool fits = typed.size() + 2 + gap <= column;
    if (about.empty()) return text.substr(0, 2 + typed.size()) + '\n';
    std::string before(column, ' ');
    if (!fits) text = fmt::format("  {}\n{}", typed, before);
    bool first = true;
    for (const std::string& line : wrapped(about, help_width() - column)) {
        if (!std::exchange(first, false)) text += before;
        text += line + '\n';
    }
    return text;
}

std::string help_footer(std::string_view command) {
    const std::vector<example> examples = examples_of(command);
    std::size_t column = 0;
    for (const example& each : examples) column = std::max(column, each.line.size() + 4);
    // So that the longest explanation has room; otherwise each stands below its example.
    std::size_t longest = 0;
    for (const example& each : examples) longest = std::max(longest, each.about.size());
    constexpr std::size_t below = 8;
    if (column + longest > help_width()) column = below;
    std::string text = "Examples:\n";
    for (const example& each : examples) text += help_row(each.line, each.about, column);
    text += "\nExit status:\n";
    for (const example& each : exit_statuses()) text += help_row(each.line, each.about, 5);
    if (command.empty()) text += fmt::format("\n{} help COMMAND has the options of a command.\n", program_name());
    text.pop_back();
    return text;
}

}  // namespace ordeal::detail
