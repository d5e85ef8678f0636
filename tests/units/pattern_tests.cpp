// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/patterns.hpp"

#include <catch2/catch.hpp>

using ordeal::scenario;
using ordeal::detail::edit_distance;
using ordeal::detail::matches_glob;

namespace {

std::vector<scenario> some_scenarios() {
    std::vector<scenario> result(3);
    result[0].name = "event/set";
    result[0].subject = "manual_reset_event";
    result[1].name = "event_like/set";
    result[1].subject = "event_like";
    result[2].name = "task/abandon";
    result[2].subject = "task";
    return result;
}

std::vector<std::string> chosen(const std::vector<std::string>& patterns) {
    const auto all = some_scenarios();
    std::vector<std::string> names;
    for (const scenario* each : ordeal::detail::select(all, patterns).chosen) names.push_back(each->name);
    return names;
}

}  // namespace

TEST_CASE("a glob's star stands for any characters, slashes among them") {
    CHECK(matches_glob("*", ""));
    CHECK(matches_glob("*", "a/b"));
    CHECK(matches_glob("a*c", "a/b/c"));
    CHECK(matches_glob("*b*d*", "abcde"));
    CHECK(matches_glob("a?c", "abc"));
    CHECK(matches_glob("a**", "a"));
    CHECK_FALSE(matches_glob("a*c", "a/b/cd"));
    CHECK_FALSE(matches_glob("a?c", "ac"));
    CHECK_FALSE(matches_glob("", "a"));
    CHECK_FALSE(matches_glob("abc", "ab"));
}

TEST_CASE("a glob with many stars takes no exponential time") {
    CHECK_FALSE(matches_glob("*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST_CASE("edit distance counts insertions, removals, replacements and exchanges of neighbours") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("event", "evnt") == 1);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("quiet", "qiuet") == 1);  // two neighbours exchanged
}

TEST_CASE("the nearest candidate is the first of those at the least distance") {
    const std::vector<std::string> candidates{"task", "event", "evens"};
    CHECK(ordeal::detail::nearest("evenx", candidates) == "event");
    CHECK(ordeal::detail::nearest("tusk", candidates) == "task");
    CHECK(ordeal::detail::nearest("x", {}).empty());
}

TEST_CASE("a pattern without a star is a name, a subject or whole first segments") {
    CHECK(chosen({"event"}) == std::vector<std::string>{"event/set"});
    CHECK(chosen({"event/"}) == std::vector<std::string>{"event/set"});
    CHECK(chosen({"manual_reset_event"}) == std::vector<std::string>{"event/set"});
    CHECK(chosen({"task/abandon"}) == std::vector<std::string>{"task/abandon"});
    CHECK(chosen({"event*"}) == std::vector<std::string>{"event/set", "event_like/set"});
    CHECK(chosen({}).size() == 3);
    CHECK(chosen({"task", "*set", "task"}).size() == 3);
}

TEST_CASE("a pattern that begins with = is the name of one scenario, whatever characters it has") {
    std::vector<scenario> all(4);
    all[0].name = "=a*";
    all[1].name = "a*";
    all[2].name = "a*/b";
    all[3].name = "ab";
    all[3].subject = "a*";
    const auto only = [&](const char* pattern) {
        const std::vector<std::string> patterns{pattern};
        const auto result = ordeal::detail::select(all, patterns);
        return result.chosen.size() == 1 ? result.chosen.front()->name : std::to_string(result.chosen.size());
    };
    CHECK(only("=a*") == "a*");
    CHECK(only("==a*") == "=a*");
    CHECK(only("=ab") == "ab");
    CHECK(only("a*") == "3");
    CHECK(only("=a") == "0");
}

TEST_CASE("a pattern that selects nothing is named, even beside one that does") {
    const auto all = some_scenarios();
    const std::vector<std::string> patterns{"task", "evnt"};
    const auto result = ordeal::detail::select(all, patterns);
    CHECK(result.unknown == "evnt");
    CHECK(ordeal::detail::nearest_scenario(all, "task/abandn") == "task/abandon");
}

TEST_CASE("a name that two scenarios have is found") {
    auto all = some_scenarios();
    CHECK_FALSE(ordeal::detail::duplicate_name(all));
    all[2].name = "event/set";
    CHECK(ordeal::detail::duplicate_name(all) == "event/set");
}
