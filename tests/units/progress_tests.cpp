// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/progress.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;
using detail::bar_text;
using detail::estimate_text;
using detail::line_text;
using detail::search_text;
using detail::time_left_text;

namespace {

const search_job& example_job(double budget) {
    static const scenario what = [] {
        scenario made;
        made.name = "event/example";
        return made;
    }();
    static search_job job{&what, nullptr, {}};
    job.how.resources.seconds = budget;
    return job;
}

running_search search_at(std::uint64_t executions, double expected, double error, double seconds = 0,
                         double budget = 0) {
    return {&example_job(budget), executions, expected, error, seconds};
}

isolation_progress at(std::vector<running_search> running) {
    isolation_progress now;
    now.finished = 1;
    now.total = 4;
    now.executions = 13'345;
    now.running = std::move(running);
    return now;
}

const std::string bar = "[######..................] 1/4  13,345 executions";

}  // namespace

TEST_CASE("an estimate of the whole search is shown with its error in per cent") {
    CHECK(estimate_text(search_at(12'345, 5.02e6, 0.15e6)) == "12,345 of about 5.0e6 \u00b1 3 %");
    CHECK(estimate_text(search_at(7, 999'999, 0)) == "7 of about 999,999");
    CHECK(estimate_text(search_at(1'234'567, 9.99e9, 9.99e9)) == "1,234,567 of about 1.0e10 \u00b1 100 %");
    CHECK(estimate_text(search_at(1, 1.5e120, 0)) == "1 of about 1.5e120");
}

TEST_CASE("without an estimate the executions are shown alone") {
    CHECK(estimate_text(search_at(12'345, 0, 0)) == "12,345 executions");
    CHECK(estimate_text(search_at(1, std::numeric_limits<double>::infinity(), 0)) == "1 execution");
    CHECK(estimate_text(search_at(12'345, std::numeric_limits<double>::quiet_NaN(), 0)) == "12,345 executions");
    CHECK(bar_text(at({}), 200, 10) == bar);
    CHECK(line_text(at({}), 20) == "ordeal: 1 of 4 searches done, 13,345 executions, 20 s\n");
    CHECK(bar_text({}, 200, 10) == "[........................] 0/0  0 executions");
}

TEST_CASE("the time that is left goes by the estimate or by the time budget, whichever ends first") {
    CHECK(time_left_text(search_at(100, 0, 0, 5, 0)).empty());
    CHECK(time_left_text(search_at(100, 0, 0, 5, 20)) == "15 s left of its 20 s");
    CHECK(time_left_text(search_at(100, 300, 0, 5, 20)) == "about 10 s left");
    CHECK(time_left_text(search_at(100, 3000, 0, 5, 20)) == "15 s left of its 20 s");
    CHECK(time_left_text(search_at(100, 3000, 0, 5, 0)) == "about 2 min left");
    CHECK(time_left_text(search_at(100, 1e9, 0, 5, 0)) == "about 579 days left");
    CHECK(time_left_text(search_at(100, 0, 0, 25, 20)) == "0 s left of its 20 s");
    CHECK(time_left_text(search_at(400, 300, 0, 5, 0)).empty());  // more than the estimate
}

TEST_CASE("each running search has a line of its own with its rate and the time left") {
    const auto now = at({search_at(12'345, 5.0e6, 1.5e5, 20), search_at(10, 0, 0, 0.5)});
    const std::string first = "event/example: 12,345 of about 5.0e6 \u00b1 3 %, 617 a second, about 2.2 h left";
    const std::string second = "event/example: 10 executions";
    CHECK(search_text(now.running[0]) == first);
    CHECK(bar_text(now, 200, 10) == bar + "\n  " + first + "\n  " + second);
    CHECK(line_text(now, 20) ==
          "ordeal: 1 of 4 searches done, 13,345 executions, 20 s\nordeal:   " + first + "\nordeal:   " + second + '\n');
}

TEST_CASE("where the terminal has no room for every search the others are counted") {
    const std::string line = "\n  event/example: 1 execution";
    const auto now = at(std::vector<running_search>(5, search_at(1, 0, 0)));
    CHECK(bar_text(now, 200, 6) == bar + line + line + line + line + line);
    CHECK(bar_text(now, 200, 4) == bar + line + line + "\n  and 3 more");
    CHECK(bar_text(now, 200, 2) == bar + "\n  and 5 more");
    CHECK(bar_text(now, 200, 1) == bar);
}

TEST_CASE("the bar is cut at the width of the terminal, and never within a character") {
    const auto now = at({search_at(12'345, 5.0e6, 1.5e5)});
    const std::string whole = bar_text(now, 200, 2).substr(bar.size() + 1);
    const std::size_t sign = whole.find("\u00b1");
    const auto line = [&](std::size_t width) {
        const std::string text = bar_text(now, width, 2);
        return text.substr(text.find('\n') + 1);
    };
    CHECK(line(sign) == whole.substr(0, sign));
    CHECK(line(sign + 1) == whole.substr(0, sign + 2));
    CHECK(line(sign + 2) == whole.substr(0, sign + 3));
    CHECK(bar_text(now, 0, 2) == "\n");
}

TEST_CASE("the line of a violation names its kind and its scenario") {
    CHECK(detail::violation_line({&example_job(0), violation_kind::data_race}) ==
          "ordeal: violated: data race in event/example\n");
}

TEST_CASE("what a search has seen is shown with when the last of it was new") {
    running_search search = search_at(88'000, 0, 0);
    CHECK(detail::seen_text(search).empty());
    search.pairs = 41;
    search.newest_pair_after = 1'203;
    CHECK(search_text(search) == "event/example: 88,000 executions; 41 reads-from pairs, the last new one after 1,203");
    search.portfolio_executions = 40'000;
    CHECK(detail::seen_text(search) == "41 reads-from pairs, the last new one after 1,203; portfolio: 40,000");
    search.pairs = 1;
    search.portfolio_executions = 0;
    CHECK(detail::seen_text(search) == "1 reads-from pair, after 1,203");
}
