// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

// What is shown for each command, the first step before any of them.
struct walk {
    int code = 0;
    std::string err;
    std::vector<std::string> screens;
};

walk walked(const std::string& commands, const std::string& options = "") {
    const std::string token = token_in(run_fixture({"check", "fixture/known_race"}).out);
    REQUIRE_FALSE(token.empty());
    const finished done =
        run_fixture_in_shell("printf '" + commands + "' | \"$0\" replay '" + token + "' --step " + options);
    walk result{done.code, done.err, {}};
    std::string rest = done.out;
    for (auto end = rest.find("\n> "); end != std::string::npos; end = rest.find("\n> ")) {
        result.screens.push_back(rest.substr(0, end));
        rest.erase(0, end + 3);
    }
    result.screens.push_back(rest);
    return result;
}

// "step 4 (d), 3 of 5"
std::string head_of(const std::string& screen) {
    const auto begin = screen.find("\nstep ");
    return begin == std::string::npos ? "" : screen.substr(begin + 1, screen.find('\n', begin + 1) - begin - 1);
}

}  // namespace

TEST_CASE("replay goes step by step, with the source, the values and the last step of each thread") {
    const walk result = walked("\\nn\\nc\\n");
    CHECK(result.code == 1);
    CHECK(result.err.empty());
    REQUIRE(result.screens.size() == 5);  // the first step, three commands, the end of the input
    CHECK_THAT(head_of(result.screens[0]), Contains(", 1 of "));
    CHECK_THAT(head_of(result.screens[1]), Contains(", 2 of "));
    CHECK_THAT(head_of(result.screens[2]), Contains(", 3 of "));
    CHECK_THAT(result.screens[0], Contains("q: end"));
    const std::string& end = result.screens[3];
    CAPTURE(end);
    CHECK_THAT(end,
               Contains("violation\n") && Contains("Last step of each thread:\n") && Contains("violated: data race\n"));
    CHECK_THAT(end, Contains("  producer  step ") && Contains("store relaxed") && Contains("  consumer  step "));
    // The line of the site, its neighbours, and the column.
    CHECK_THAT(end, Contains("\n  >  ") && Contains("\n       ") && Contains(" ^\n") &&
                        Contains("tests/cli/fixtures/verdicts.cpp:"));
    CHECK_THAT(result.screens[0], !Contains("violated"));
}

TEST_CASE("a step is gone to by its number, by its letter, and back") {
    const walk all = walked("n\\nn\\nn\\nn\\n");
    REQUIRE(all.screens.size() == 6);
    // "step 4 (d), 4 of 5": of those, one that has a letter
    const auto lettered = std::ranges::find_if(
        all.screens, [](const std::string& screen) { return head_of(screen).find('(') != std::string::npos; });
    REQUIRE(lettered != all.screens.end());
    const std::string wanted = head_of(*lettered);
    const std::string number = wanted.substr(5, wanted.find(' ', 5) - 5);
    const auto letter = static_cast<char>(std::toupper(wanted[wanted.find('(') + 1]));
    const walk result = walked("c\\np\\n" + number + "\\nc\\n" + std::string(1, letter) + "\\nq\\nn\\n");
    REQUIRE(result.screens.size() == 7);  // nothing after q
    CHECK(head_of(result.screens[0]) == head_of(all.screens[0]));
    CHECK_THAT(result.screens[1], Contains("violation\n"));
    CHECK_THAT(result.screens[2], !Contains("violation\n"));
    CHECK(head_of(result.screens[3]) == wanted);
    CHECK(head_of(result.screens[4]) == head_of(result.screens[1]));  // c is the command, whatever step has that letter
    CHECK(head_of(result.screens[5]) == wanted);
    CHECK(result.code == 1);
}

TEST_CASE("a command that cannot be followed leaves the walk where it is, and says why") {
    const walk result = walked("p\\n99\\nsideways\\nc\\nn\\n\\033[A\\n");
    REQUIRE(result.screens.size() == 8);
    CHECK_THAT(result.screens[1], Contains("this is the first step"));
    CHECK_THAT(result.screens[2], Contains("no step of this trace has that number or letter"));
    CHECK_THAT(result.screens[3], Contains("'sideways' is no command"));
    CHECK_THAT(result.screens[5], Contains("this is the last step"));
    CHECK_THAT(result.screens[6], Contains("'\\x1b[A' is no command"));
    CHECK(result.code == 1);
}

TEST_CASE("a walk fits into eighty columns") {
    const walk result = walked("\\n\\n\\n\\n\\n\\n\\nx\\n");
    std::size_t lines = 0;
    for (const std::string& screen : result.screens) {
        std::istringstream text(screen);
        for (std::string line; std::getline(text, line); ++lines) {
            CAPTURE(line);
            CHECK(line.size() <= 80);
        }
    }
    CHECK(lines > 50);
}

TEST_CASE("a walk leaves standard output to itself") {
    CHECK(walked("q\\n", "--json -").code == 2);
    CHECK_THAT(walked("q\\n", "--json -").err, Contains("exclude each other"));
    const temporary_folder folder;
    CHECK(walked("q\\n", "--json " + folder.file("report")).code == 1);
    CHECK_THAT(content(folder.file("report")), Contains("\"trace\""));
}
