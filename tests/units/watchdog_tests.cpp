// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/process/watchdog.hpp"

#include <catch2/catch.hpp>

#include <sys/time.h>

namespace {

using ordeal::detail::watchdog;

bool clock_runs() {
    itimerval now{};
    getitimer(ITIMER_PROF, &now);
    return now.it_interval.tv_sec != 0;
}

TEST_CASE("the clock of a watchdog runs only while one lives: without it, its signal ends a process") {
    watchdog::watch_this_process();
    CHECK_FALSE(clock_runs());
    {
        const watchdog one([](const auto&) {}, [] { return 0ULL; }, [] {});
        CHECK(clock_runs());
        watchdog::watch_this_process();
        CHECK(clock_runs());
    }
    CHECK_FALSE(clock_runs());
}

}  // namespace
