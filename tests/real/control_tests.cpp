// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positive controls for whichever sanitizer this is compiled with: if it says nothing here, its silence elsewhere
// means nothing.
#include "real/child.hpp"
#include "real/seed.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace ordeal::tests;

namespace {

trial_outcome run_control(const std::string& scenario, unsigned lost_blocks = 0) {
    trial_order order;
    order.scenario = scenario;
    order.seed = first_seed();
    order.samples = 1;
    order.lost_blocks = lost_blocks;
    return run_trial(order);
}

void check_says(const trial_outcome& ran, const std::string& words, const std::string& place) {
    INFO(ran.output + ran.reports);
    CHECK(ran.reports.find(words) != std::string::npos);
    CHECK(ran.reports.find(place) != std::string::npos);
}

}  // namespace

TEST_CASE("an access to freed memory is reported at its line") {
    const trial_outcome ran = run_control("exhibit/control/use_after_free");
    check_says(ran, "heap-use-after-free", "src/ordeal/coro/exhibits/control_misuse.cpp:");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)

TEST_CASE("a second free is reported") {
    check_says(run_control("exhibit/control/double_free"), "attempting double-free",
               "src/ordeal/coro/exhibits/control_misuse.cpp:");
}

TEST_CASE("lost blocks are reported when the process ends") {
    check_says(run_control("exhibit/control/uninitialised_read", 3), "LeakSanitizer: detected memory leaks",
               "in 3 object(s)");
}

#endif
#endif
