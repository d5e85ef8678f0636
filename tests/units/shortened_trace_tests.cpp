// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::unit_tests {

using namespace detail;

namespace {

/// Two threads in turn, each at an address of its own.
trace long_trace(std::uint32_t steps) {
    trace result;
    for (std::uint32_t i = 0; i < steps; ++i) {
        trace_step each;
        each.index = i;
        each.thread = static_cast<int>(i % 2);
        each.operation = "write";
        each.address = 8 * (i % 2 + 1);
        each.size = 8;
        result.push_back(each);
    }
    return result;
}

bool has_step(const trace& steps, std::uint32_t index) {
    return std::ranges::any_of(steps, [&](const trace_step& each) { return each.index == index && !is_gap(each); });
}

std::size_t all_steps(const trace& steps) {
    std::size_t result = 0;
    for (const trace_step& each : steps) result += is_gap(each) ? std::stoul(each.operation) : 1;
    return result;
}

}  // namespace

TEST_CASE("a trace of a few steps is as it was") {
    const trace whole = long_trace(1000);
    CHECK(shortened(whole).size() == 1000);
    CHECK(std::ranges::none_of(shortened(whole), is_gap));
}

TEST_CASE("a long trace keeps what led to its end, and says how many steps are left out") {
    trace whole = long_trace(20'000);
    constexpr std::uint32_t source = 9'000;
    constexpr std::uint32_t before_source = 5'000;
    whole[before_source].address = whole[source].address = whole.back().address = 4096;
    whole.back().reads_from = source;
    const trace kept = shortened(whole);
    CHECK(kept.size() < 1500);
    CHECK(has_step(kept, 0));
    CHECK(has_step(kept, 19'999));
    CHECK(has_step(kept, source));
    CHECK(has_step(kept, before_source));
    CHECK_FALSE(has_step(kept, source + 3));
    CHECK(all_steps(kept) == whole.size());
    CHECK(std::ranges::is_sorted(kept, {}, &trace_step::index));
}

}  // namespace ordeal::unit_tests
