// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help, completion and the manual page, which are made from one description.
#include "program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::vector<std::string> commands{"list", "check", "audit", "replay",     "stress", "try",
                                        "test", "new",   "help",  "completion", "man"};

using words = std::set<std::string>;

words words_of(const std::string& text) {
    std::istringstream in(text);
    words result;
    for (std::string word; in >> word;) result.insert(word);
    return result;
}

// The options that the help of a command names at the beginning of a line.
words options_of(const std::string& command) {
    const std::string help = run_fixture({command, "--help"}).out;
    const std::regex option("(?:^|\n)  (?:(-[a-z]),)?(--[a-z-]+)");
    words result;
    for (std::sregex_iterator each(help.begin(), help.end(), option), end; each != end; ++each) {
        if ((*each)[1].matched) result.insert((*each)[1]);
        result.insert((*each)[2]);
    }
    return result;
}

// What bash completes the last of these words to, with the program in its PATH.
words completed(const std::vector<std::string>& typed) {
    const temporary_folder folder;
    std::filesystem::create_symlink(ORDEAL_FIXTURE_BINARY, folder.file("suite"));
    std::string line = "PATH=" + folder.file("") + ":$PATH; source <(suite completion bash) || exit 3; ";
    line +=
        "complete -p suite >/dev/null || exit 4; COMP_CWORD=" + std::to_string(typed.size()) + "; COMP_WORDS=(suite";
    for (const std::string& each : typed) line += " '" + each + "'";
    line += "); _suite 2>/dev/null; printf '%s\n' \"${COMPREPLY[@]}\"";
    const finished result = run("/bin/bash", {"--norc", "--noprofile", "-c", line});
    CAPTURE(result.err);
    CHECK(result.code == 0);
    return words_of(result.out);
}

}  // namespace

TEST_CASE("each command's help has examples of its own, and no other command's") {
    for (const std::string& command : commands) {
        const std::string help = run_fixture({command, "--help"}).out;
        const std::size_t begin = help.find("Examples:\n");
        REQUIRE(begin != std::string::npos);
        std::istringstream lines(help.substr(begin, help.find("\n\n", begin) - begin));
        std::string line;
        std::getline(lines, line);
        std::size_t count = 0;
        for (; std::getline(lines, line); ++count) {
            const bool goes_on = line.starts_with("     ");
            if (!goes_on) CHECK_THAT(line, StartsWith("  ordeal_cli_fixture " + command));
        }
        CHECK(count > 0);
    }
}

TEST_CASE("no line of the help is longer than a report's") {
    for (const std::string& command : commands) {
        std::istringstream lines(run_fixture({command, "--help"}).out);
        for (std::string line; std::getline(lines, line);) {
            const bool is_typed = line.starts_with("  ordeal_cli_fixture ") || line.starts_with("Usage: ");
            CAPTURE(command, line);
            CHECK((is_typed || line.size() <= 120));
        }
    }
}

TEST_CASE("help shows the help of the program, or of one command") {
    CHECK(run_fixture({"help"}).out == run_fixture({"--help"}).out);
    for (const std::string& command : commands) {
        const finished asked = run_fixture({"help", command});
        CHECK(asked.code == 0);
        CHECK(asked.out == run_fixture({command, "--help"}).out);
    }
    const finished unknown = run_fixture({"help", "chekc"});
    CHECK(unknown.code == 2);
    CHECK(unknown.out.empty());
    CHECK_THAT(unknown.err, Contains("no command 'chekc'"));
}

TEST_CASE("an example in the help of a search is a command line that is understood") {
    for (const std::string command : {"list", "check", "audit", "stress"}) {
        std::istringstream lines(run_fixture({command, "--help"}).out);
        for (std::string line; std::getline(lines, line);) {
            constexpr std::string_view before = "  ordeal_cli_fixture ";
            if (!line.starts_with(before)) continue;
            const std::string typed = line.substr(before.size(), line.find("  ", before.size()) - before.size());
            CAPTURE(typed);
            // The fixture has no such scenario, or no such file: anything but an option that is not understood.
            const finished result =
                run_fixture_in_shell("cd /nonexistent 2>/dev/null; \"$0\" " + typed + " no/such/scenario");
            CHECK_THAT(result.err, !Contains("shows what there is"));
        }
    }
}

TEST_CASE("option -j is --jobs") {
    CHECK(run_fixture({"check", "fixture/count_to_two", "-j", "1"}).code == 0);
    CHECK(run_fixture({"check", "fixture/count_to_two", "-j1"}).code == 0);
    CHECK(run_fixture({"check", "fixture/count_to_two", "-j", "0"}).code == 2);
    CHECK(options_of("audit").contains("-j"));
    CHECK(options_of("stress").contains("-j"));
}

TEST_CASE("bash completes commands, every option, the values of options, and scenarios") {
    CHECK(completed({"ch"}) == words{"check"});
    const words all = completed({""});
    for (const std::string& command : commands) CHECK(all.contains(command));
    for (const std::string& command : commands) {
        CAPTURE(command);
        const words offered = completed({command, "-"});
        for (const std::string& option : options_of(command)) {
            CAPTURE(option);
            CHECK(offered.contains(option));
        }
    }
    CHECK(completed({"check", "--mo"}) == words{"--model"});
    CHECK(completed({"check", "--model", "r"}) == words{"rc11"});
    CHECK(completed({"check", "--model", "=", "t"}) == words{"tso"});
    CHECK(completed({"check", "--engine", ""}) == words{"graph", "relacy", "all"});
    CHECK(completed({"audit", "--engine", ""}) == words{"graph", "relacy"});
    CHECK(completed({"check", "--search", "p"}) == words{"preemptions=", "pct=", "pos="});
    CHECK(completed({"check", "--jobs", ""}).empty());
    CHECK(completed({"check", "fixture/c"}) == words{"fixture/count_to_two"});
    CHECK(completed({"stress", "--seed", "1", "graded/"}) == words{"graded/forbidden", "graded/unsound"});
    CHECK(completed({"check", "--json", "/etc/passw"}).contains("/etc/passwd"));
    CHECK(completed({"help", "st"}) == words{"stress"});
    CHECK(completed({"completion", ""}) == words{"bash", "zsh", "fish"});
    CHECK(completed({"test", "--framework", "go"}) == words{"googletest"});
    CHECK(completed({"test", "/etc/passw"}).contains("/etc/passwd"));
}

TEST_CASE("the scripts for zsh and fish have every option, and these shells read them where they are installed") {
    for (const std::string shell : {"zsh", "fish"}) {
        const finished script = run_fixture({"completion", shell});
        REQUIRE(script.code == 0);
        for (const std::string& command : commands) {
            for (const std::string& option : options_of(command)) {
                CAPTURE(shell, command, option);
                const bool is_long = option.starts_with("--");
                const std::string in_fish = (is_long ? " -l " : " -s ") + option.substr(is_long ? 2 : 1) + " ";
                CHECK_THAT(script.out, Contains(shell == "zsh" ? "'*" + option + "[" : in_fish));
            }
        }
        const finished read = run_fixture_in_shell("command -v " + shell + " >/dev/null || exit 0; \"$0\" completion " +
                                                   shell + " | " + shell + " -n /dev/stdin");
        CAPTURE(read.err);
        CHECK(read.code == 0);
        CHECK(read.err.empty());
    }
    CHECK(run_fixture({"completion", "csh"}).code == 2);
    CHECK(run_fixture({"completion"}).code == 2);
}

TEST_CASE(
    "the manual page has every command, option, exit status and example, and no warning where it can be formatted") {
    const finished page = run_fixture({"man"});
    REQUIRE(page.code == 0);
    CHECK_THAT(page.out, StartsWith(".TH ORDEAL_CLI_FIXTURE 1 "));
    for (const std::string& command : commands) {
        const std::size_t begin = page.out.find(".SS \"ordeal_cli_fixture " + command);
        REQUIRE(begin != std::string::npos);
        const std::string section = page.out.substr(begin, page.out.find("\n.S", begin + 1) - begin);
        for (const std::string& option : options_of(command)) {
            CAPTURE(command, option);
            CHECK_THAT(section, Contains("\\fB" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR"));
        }
        CHECK_THAT(page.out, Contains("\\fBordeal_cli_fixture " + command));
    }
    for (const char* each :
         {".SH NAME\n", ".SH SYNOPSIS\n", ".SH COMMANDS\n", ".SH \"EXIT STATUS\"\n", ".SH EXAMPLES\n"}) {
        CHECK_THAT(page.out, Contains(each));
    }
    const finished formatted =
        run_fixture_in_shell("command -v groff >/dev/null || exit 0; \"$0\" man | groff -man -Tutf8 -ww -z");
    CAPTURE(formatted.err);
    CHECK(formatted.code == 0);
    CHECK(formatted.err.empty());
}
