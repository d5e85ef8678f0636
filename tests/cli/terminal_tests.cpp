// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program on a terminal of a given size.
#include "program.hpp"

#include <catch2/catch.hpp>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

// All that the program writes on a terminal, which is both its standard output and its standard error.
std::string on_terminal(std::vector<std::string> arguments, unsigned short columns, const char* variable = nullptr) {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 24;
    int terminal = -1;
    const pid_t process = forkpty(&terminal, nullptr, nullptr, &size);
    REQUIRE(process >= 0);
    if (process == 0) {
        unsetenv("NO_COLOR");
        unsetenv("COLUMNS");
        setenv("TERM", "xterm", 1);
        if (variable != nullptr) setenv("COLUMNS", variable, 1);
        std::vector<char*> argv{const_cast<char*>(ORDEAL_FIXTURE_BINARY)};
        for (std::string& each : arguments) argv.push_back(each.data());
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    waitpid(process, nullptr, 0);
    close(terminal);
    std::erase(text, '\r');
    return text;
}

// The line under the names of the threads goes from one side to the other.
std::size_t width_of_trace(const std::string& text) {
    const std::size_t begin = text.find("\n------+");
    REQUIRE(begin != std::string::npos);
    return text.find('\n', begin + 1) - begin - 1;
}

const std::vector<std::string> trace{"check", "fixture/known_race", "--trace", "--quiet", "--color", "never"};

}  // namespace

TEST_CASE("a report is as wide as the terminal, from 60 to 200 characters") {
    CHECK(width_of_trace(on_terminal(trace, 80)) == 80);
    CHECK(width_of_trace(on_terminal(trace, 150)) == 150);
    CHECK(width_of_trace(on_terminal(trace, 30)) == 60);
    CHECK(width_of_trace(on_terminal(trace, 300)) == 200);
    CHECK(width_of_trace(on_terminal(trace, 0)) == 120);
}

TEST_CASE("COLUMNS says how wide a terminal is, and nothing where there is none") {
    CHECK(width_of_trace(on_terminal(trace, 80, "100")) == 100);
    CHECK(width_of_trace(on_terminal(trace, 80, "wide")) == 80);
    CHECK(width_of_trace(on_terminal(trace, 80, "0")) == 80);
    const finished elsewhere = run_fixture_in_shell("COLUMNS=70 \"$0\" check fixture/known_race --trace --color never");
    CHECK(width_of_trace(elsewhere.out) == 120);
}

TEST_CASE("reports in other formats do not depend on the width of the terminal") {
    const auto junit = [](unsigned short columns) {
        std::string text = on_terminal({"check", "fixture/unexpected_race", "--quiet", "--junit", "-"}, columns);
        const std::size_t begin = text.find("\n------+");
        return text.substr(begin, text.find("</failure>") - begin);
    };
    CHECK(junit(80) == junit(160));
}

TEST_CASE("on a terminal the first violation stands above the bar while other searches go on") {
    const std::string text =
        on_terminal({"check", "fixture/unexpected_race", "long", "--jobs", "1", "--time-budget", "1"}, 100);
    const std::size_t said = text.find("ordeal_cli_fixture: violated: data race in fixture/unexpected_race\n");
    REQUIRE(said != std::string::npos);
    CHECK(text.find("ordeal_cli_fixture: violated:", said + 1) == std::string::npos);
    const std::size_t bar = text.find("1/2 ", said);
    CHECK(bar != std::string::npos);
    CHECK_THAT(text.substr(bar), Contains("\n  long/endless_search: "));
    CHECK(text.find("scenario ", bar) != std::string::npos);  // the report comes last
}

TEST_CASE("elsewhere the first violation is a line of its own, unless it is expected or nobody wants to know") {
    const std::vector<std::string> command{"check", "fixture/unexpected_race", "long", "--jobs",
                                           "1",     "--time-budget",           "1"};
    CHECK(run_fixture(command).err == "ordeal_cli_fixture: violated: data race in fixture/unexpected_race\n");
    std::vector<std::string> quiet = command;
    quiet.emplace_back("--quiet");
    CHECK(run_fixture(quiet).err.empty());
    CHECK(run_fixture({"check", "fixture/known_race", "long", "--jobs", "1", "--time-budget", "0.5"}).err.empty());
}
