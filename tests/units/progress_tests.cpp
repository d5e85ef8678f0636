// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/progress.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace ordeal;
using detail::bar_text;
using detail::estimate_text;
using detail::line_text;

namespace {

isolation_progress at(std::uint64_t executions, double expected, double error) {
    static const scenario what = [] {
        scenario made;
        made.name = "event/example";
        return made;
    }();
    static const search_job job{&what, nullptr, {}};
    isolation_progress now;
    now.finished = 1;
    now.total = 4;
    now.executions = executions + 1000;
    now.newest = &job;
    now.newest_executions = executions;
    now.expected = expected;
    now.expected_error = error;
    return now;
}

}  // namespace

TEST_CASE("an estimate of the whole search is shown with its error in per cent") {
    CHECK(estimate_text(at(12'345, 5.02e6, 0.15e6)) == "12,345 of about 5.0e6 \u00b1 3 %");
    CHECK(estimate_text(at(7, 999'999, 0)) == "7 of about 999,999");
    CHECK(estimate_text(at(1'234'567, 9.99e9, 9.99e9)) == "1,234,567 of about 1.0e10 \u00b1 100 %");
    CHECK(estimate_text(at(1, 1.5e120, 0)) == "1 of about 1.5e120");
}

TEST_CASE("without an estimate there is nothing of it to show") {
    CHECK(estimate_text(at(12'345, 0, 0)).empty());
    CHECK(estimate_text(at(12'345, std::numeric_limits<double>::infinity(), 0)).empty());
    CHECK(estimate_text(at(12'345, std::numeric_limits<double>::quiet_NaN(), 0)).empty());
    CHECK(bar_text(at(12'345, 0, 0), 200) == "[######..................] 1/4  13,345 executions  event/example");
    CHECK(line_text(at(12'345, 0, 0), 20) == "ordeal: 1 of 4 searches done, 13,345 executions, 20 s\n");
    CHECK(bar_text({}, 200) == "[........................] 0/0  0 executions");
}

TEST_CASE("the estimate stands behind the name of the scenario that it is of") {
    const isolation_progress now = at(12'345, 5.0e6, 1.5e5);
    CHECK(bar_text(now, 200) ==
          "[######..................] 1/4  13,345 executions  event/example: 12,345 of about 5.0e6 \u00b1 3 %");
    CHECK(line_text(now, 20) ==
          "ordeal: 1 of 4 searches done, 13,345 executions, 20 s; event/example: 12,345 of about 5.0e6 \u00b1 3 %\n");
}

TEST_CASE("the bar is cut at the width of the terminal, and never within a character") {
    const std::string whole = bar_text(at(12'345, 5.0e6, 1.5e5), 200);
    const std::size_t sign = whole.find("\u00b1");
    CHECK(bar_text(at(12'345, 5.0e6, 1.5e5), sign) == whole.substr(0, sign));
    CHECK(bar_text(at(12'345, 5.0e6, 1.5e5), sign + 1) == whole.substr(0, sign + 2));
    CHECK(bar_text(at(12'345, 5.0e6, 1.5e5), sign + 2) == whole.substr(0, sign + 3));
    CHECK(bar_text(at(12'345, 5.0e6, 1.5e5), 0).empty());
}
