// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/observations.hpp"
#include "ordeal/report/state_chart.hpp"
#include "ordeal/report/text/text.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

using names = std::map<std::string, std::string>;

names names_in(const std::vector<std::string>& lines) { return state_names(lines); }

site at(std::uint32_t line, role what = role::exchange) {
    site result;
    result.key = {"no/such/file.hpp", line, 3, what};
    result.atomic = true;
    result.function = "f";
    result.operation = "exchange";
    return result;
}

atomic_states word(std::uint64_t id, const std::string& from, const std::string& to, std::uint32_t line) {
    atomic_states result;
    result.id = id;
    result.name = "atomic " + std::to_string(id);
    result.executions = 5;
    result.states[from].times = 5;
    result.states[to].times = 3;
    result.transitions = {{from, to, at(line), 3}};
    result.paths = {{from + ", " + to, 3}, {from, 2}};
    return result;
}

checked_scenario search_of(const scenario& what, std::vector<atomic_states> words) {
    checked_scenario result;
    result.what = &what;
    result.result.verdict = verdict::held;
    result.result.atomics = std::move(words);
    return result;
}

}  // namespace

TEST_CASE("a source file names states in one comment") {
    CHECK(names_in({"int x;", "// One word, three states: idle = 0 | queued = pointer, to a waiter | set = this"}) ==
          names{{"0", "idle"}, {"pointer", "queued"}, {"this", "set"}});
    CHECK(names_in({"// states: a = 1 | what is this"}) == names{{"1", "a"}});
    CHECK(names_in({"states: a = 1"}).empty());
    CHECK(names_in({"// states: a = 1", "// states: b = 1"}).empty());
    CHECK(names_in({"// other words: a = 1"}).empty());
}

TEST_CASE("atomics that one site has accessed are in one chart, in the order of their states") {
    scenario first;
    first.name = "s/first";
    first.subject = "s";
    scenario second = first;
    second.name = "s/second";
    const std::vector<checked_scenario> searches{search_of(first, {word(1, "2", "10", 7), word(2, "0", "this", 8)}),
                                                 search_of(second, {word(1, "2", "pointer", 7), word(3, "5", "6", 9)})};
    const auto charts = state_charts(searches);
    REQUIRE(charts.size() == 3);
    CHECK(charts[0].scenarios.size() == 2);
    CHECK(charts[0].states == std::vector<std::string>{"2", "10", "pointer"});
    CHECK(charts[0].times.at("2") == 10);
    CHECK(charts[0].told == 10);
    CHECK(charts[0].paths == std::map<std::string, std::uint64_t>{{"2", 4}, {"2, 10", 3}, {"2, pointer", 3}});
    CHECK(charts[0].other == 0);
    const std::string text = chart_text(charts[0], text_style());
    CHECK_THAT(text, Contains("f:7 (3)") && Contains("over 2 scenarios of s, all executions"));
}

TEST_CASE("a chart of searches that were cut short says so") {
    scenario what;
    what.name = "s/what";
    what.subject = "s";
    auto cut = search_of(what, {word(1, "0", "1", 7)});
    cut.result.verdict = verdict::held_within;
    cut.result.atomics.front().paths.erase("0");
    const auto charts = state_charts(std::vector{cut});
    REQUIRE(charts.size() == 1);
    CHECK(charts.front().other == 2);
    CHECK_THAT(chart_text(charts.front(), text_style()), Contains("not all executions") && Contains("others"));
}

TEST_CASE("atomics of several processes are put together, and what is too much is left out for good") {
    atomic_states many = word(1, "0", "1", 7);
    for (std::size_t i = 0; i < most_states; ++i) many.states[std::to_string(i)].times += 1;
    std::vector<atomic_states> words{word(1, "0", "pointer", 7), word(3, "0", "1", 8)};
    merge_atomic_states({many, word(2, "0", "1", 7)}, words);
    REQUIRE(words.size() == 3);
    CHECK(words[0].too_many);
    CHECK(words[0].states.empty());
    CHECK(words[0].executions == 10);
    CHECK(words[1].id == 2);
    CHECK(words[2].id == 3);
    merge_atomic_states({word(3, "0", "1", 8)}, words);
    CHECK(words[2].transitions.size() == 1);
    CHECK(words[2].transitions.front().times == 6);
    merge_atomic_states({word(1, "0", "1", 7)}, words);
    CHECK(words[0].states.empty());
    for (std::uint64_t id = 10; id < 200; ++id) merge_atomic_states({word(id, "0", "1", 7)}, words);
    CHECK(words.size() == most_tracked_atomics);
}

TEST_CASE("of two examples the simpler one is kept, and their executions are added") {
    outcome_examples kept{{"a", {2, 50, "path"}}};
    merge_examples({{"a", {3, 40, "longer path"}}, {"b", {1, 9, "x"}}}, kept);
    CHECK(kept.at("a") == outcome_example{5, 40, "longer path"});
    merge_examples({{"a", {1, 40, "short"}}}, kept);
    CHECK(kept.at("a") == outcome_example{6, 40, "short"});
    merge_examples({{"a", {1, 41, "s"}}}, kept);
    CHECK(kept.at("a") == outcome_example{7, 40, "short"});
    outcome_examples more;
    for (std::size_t i = 0; i < 2 * most_outcome_examples; ++i) more["c" + std::to_string(1000 + i)] = {1, 1, ""};
    merge_examples(more, kept);
    CHECK(kept.size() == most_outcome_examples);
    CHECK(kept.contains("a"));
}

TEST_CASE("a list of outcomes says what it leaves out") {
    scenario what;
    what.name = "s/what";
    checked_scenario checked = search_of(what, {});
    checked.result.executions = 20;
    checked.result.outcomes = {{"a", 5}, {"b", 4}};
    checked.result.examples = {{"a", {5, 1, "x"}}};
    checked.example_tokens = {{"a", "o1:token"}};
    const std::string text = outcome_text(checked, text_style());
    CHECK_THAT(text, Contains("2 outcomes in 20 executions") && Contains("1. a  5 executions"));
    CHECK_THAT(text, Contains("ordeal replay 'o1:token'"));
    CHECK_THAT(text, Contains("1 outcome more, without an example") && Contains("11 executions came to no outcome"));
}
