// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/options/option_values.hpp"
#include "ordeal/cli/options/options.hpp"
#include "ordeal/engine/process/isolation.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;

namespace {

search_options searched(std::string_view text) {
    search_options result;
    CAPTURE(text);
    REQUIRE(parse_search(text, result));
    return result;
}

command_options parsed(std::vector<std::string> arguments) {
    std::vector<char*> values;
    arguments.insert(arguments.begin(), "ordeal");
    for (std::string& each : arguments) values.push_back(each.data());
    auto result = parse_command_line(static_cast<int>(values.size()), values.data());
    REQUIRE(std::holds_alternative<command_options>(result));
    return std::get<command_options>(result);
}

}  // namespace

TEST_CASE("a search is named with its bound, a pct search with its depth, too") {
    CHECK(searched("auto").strategy.mode == search_mode::automatic);
    CHECK(searched("full").strategy.mode == search_mode::full);
    CHECK(searched("preemptions=0").strategy.mode == search_mode::preemptions);
    CHECK(searched("random=1000").strategy.bound == 1000);
    CHECK(searched("random=1000").strategy.mode == search_mode::random);
    CHECK(searched("pct=1000").strategy.mode == search_mode::pct);
    CHECK(searched("pct=1000").strategy.bound == 1000);
    CHECK(searched("pct=1000").strategy.depth == 3);
    CHECK(searched("pct=20,5").strategy.bound == 20);
    CHECK(searched("pct=20,5").strategy.depth == 5);
    CHECK(searched("pos=30").strategy.mode == search_mode::pos);
    CHECK(searched("pos=30").strategy.bound == 30);
    CHECK(searched("surw=40").strategy.mode == search_mode::surw);
}

TEST_CASE("what is no search is not taken for one") {
    for (const char* text : {"",
                             "deep",
                             "full=1",
                             "auto=",
                             "random",
                             "random=",
                             "random=0",
                             "random=1,2",
                             "pos=0",
                             "surw",
                             "pos=1,2",
                             "pct",
                             "pct=",
                             "pct=0",
                             "pct=0,3",
                             "pct=5,",
                             "pct=5,0",
                             "pct=,3",
                             "pct=5,3,1",
                             "pct=5, 3",
                             "pct=-1",
                             "pct=5,4294967296",
                             "preemptions=x",
                             "preemptions=1 "}) {
        CAPTURE(text);
        search_options result;
        CHECK_FALSE(parse_search(text, result));
    }
}

TEST_CASE("the options of a search reach it, with the engine's own defaults where none is given") {
    const command_options plain = parsed({"check"});
    CHECK(plain.search.bounds.spurious == search_options{}.bounds.spurious);
    CHECK(plain.search.bounds.reuse == search_options{}.bounds.reuse);
    CHECK(plain.search.checkpoint.file.empty());
    CHECK(plain.search.strategy.mode == search_mode::automatic);
    const command_options full = parsed({"check", "--search", "pct=7,2", "--seed", "11", "--spurious", "0",
                                         "--checkpoint", "state.json", "--engine", "graph"});
    CHECK(full.search.strategy.mode == search_mode::pct);
    CHECK(full.search.strategy.bound == 7);
    CHECK(full.search.strategy.depth == 2);
    CHECK(full.search.strategy.seed == 11);
    CHECK(full.search.bounds.spurious == 0);
    CHECK(full.search.checkpoint.file == "state.json");
    CHECK(parsed({"audit", "--spurious", "4"}).search.bounds.spurious == 4);
    CHECK(parsed({"audit", "--reuse", "4"}).search.bounds.reuse == 4);
    CHECK(parsed({"check", "--reuse", "0"}).search.bounds.reuse == 0);
}

TEST_CASE("what a search goes on behind is a kind, and a place where it is given") {
    const command_options options = parsed({"check", "event", "--accept", "notification-after-destruction", "--accept",
                                            "notification after destruction@src/one.hpp:17", "task"});
    REQUIRE(options.search.accept.size() == 2);
    CHECK(options.patterns == std::vector<std::string>{"event", "task"});
    const acceptance& anywhere = options.search.accept[0];
    const acceptance& there = options.search.accept[1];
    constexpr auto kind = violation_kind::notification_after_destruction;
    CHECK(to_string(there) == "notification after destruction@src/one.hpp:17");
    CHECK(anywhere.covers(kind, "src/two.hpp", 1));
    CHECK_FALSE(anywhere.covers(violation_kind::data_race, "src/two.hpp", 1));
    CHECK(there.covers(kind, "/home/me/src/one.hpp", 17));
    CHECK_FALSE(there.covers(kind, "/home/me/src/one.hpp", 18));
    CHECK_FALSE(there.covers(kind, "/home/me/mysrc/one.hpp", 17));
    CHECK(parse_acceptance("notification after destruction@one.hpp")->line == 0);
    for (const char* const text : {"", "no kind", "data race@", "data race@:3", "data race@one.hpp:",
                                   "data race@one.hpp:0", "data race@one.hpp:3x", "data race@o'ne.hpp:3"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_acceptance(text));
    }
    CHECK(can_be_accepted(violation_kind::data_race));
    CHECK_FALSE(can_be_accepted(violation_kind::crash));
    CHECK_FALSE(can_be_accepted(violation_kind::time_out));
    CHECK(has_location(violation_kind::use_after_free));
    CHECK_FALSE(has_location(violation_kind::deadlock));
}

TEST_CASE("when fewer searches than jobs are to run, each gets its share of them") {
    CHECK(shared_jobs(4, 1) == 4);
    CHECK(shared_jobs(4, 2) == 2);
    CHECK(shared_jobs(4, 3) == 1);
    CHECK(shared_jobs(4, 4) == 1);
    CHECK(shared_jobs(4, 100) == 1);
    CHECK(shared_jobs(1, 1) == 1);
    CHECK(shared_jobs(7, 0) == 1);
}

TEST_CASE("an amount of memory is a number and its unit") {
    CHECK(detail::parse_memory("512M") == std::uint64_t{512} << 20);
    CHECK(detail::parse_memory("2G") == std::uint64_t{2} << 30);
    CHECK(detail::parse_memory("1.5G") == std::uint64_t{3} << 29);
    CHECK(detail::parse_memory("40000K") == std::uint64_t{40'000} << 10);
    for (const char* wrong : {"", "M", "512", "512m", "-1G", "0M", "1e3M", "1G ", "nanG", "1GB", "99999999T"}) {
        CAPTURE(wrong);
        CHECK_FALSE(detail::parse_memory(wrong).has_value());
        CHECK_FALSE(detail::memory_error(wrong).empty());
    }
    CHECK(detail::memory_error("64M").empty());
    CHECK(detail::memory_error("1M") == "less than 32M, which a search may need: '1M'");
}

TEST_CASE("reductions are named one by one, or switched off") {
    using ordeal::detail::parse_reductions;
    CHECK(parse_reductions("all") == ordeal::detail::search_reductions{});
    CHECK(parse_reductions("none") == ordeal::detail::no_reductions());
    auto without = ordeal::detail::search_reductions{};
    without.symmetry = false;
    CHECK(parse_reductions("-symmetry") == without);
    CHECK(parse_reductions("all,-symmetry") == without);
    auto two = ordeal::detail::no_reductions();
    two.spinloops = two.wake_ups = true;
    CHECK(parse_reductions("spinloops,wake-ups") == two);
    CHECK(parse_reductions("loops,wake-ups") == two);  // the name of before
    for (const char* const wrong : {"", "loop", "loops,", "none,loops", "--loops"}) CHECK(!parse_reductions(wrong));
    for (const auto& each : ordeal::detail::reduction_names()) {
        auto fewer = ordeal::detail::search_reductions{};
        fewer.*each.member = false;
        CHECK(parse_reductions(to_string(fewer)) == fewer);
        auto alone = ordeal::detail::no_reductions();
        alone.*each.member = true;
        CHECK(parse_reductions(to_string(alone)) == alone);
    }
}
