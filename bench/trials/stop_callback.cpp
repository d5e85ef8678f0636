// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <stop_token>

namespace ordeal::bench {

namespace {

// The destructor waits for a callback that runs in another thread: what the callback uses may end after it.
struct stop_against_destruction {
    std::stop_source source;
    std::array<int, 2> times_run{};

    void run(int thread) {
        if (thread == 0) {
            source.request_stop();
            return;
        }
        auto used = std::make_unique<int>(0);
        {
            const std::stop_callback callback(source.get_token(), [&used] { ++*used; });
        }
        times_run.at(static_cast<std::size_t>(thread - 1)) = *used;
    }
    void finish() {
        for (const int each : times_run) require(each <= 1, "a callback runs once at most");
    }
};

struct against_one_destruction : stop_against_destruction {
    static constexpr auto about = "A stop is requested while a thread registers a callback, and ends it.";
    static constexpr auto threads = std::array{"requests", "registers"};
};
ORDEAL_SCENARIO("stop_callback/against_one_destruction", against_one_destruction);

struct against_two_destructions : stop_against_destruction {
    static constexpr auto about = "A stop is requested while two threads register a callback each, and end it.";
    static constexpr auto threads = std::array{"requests", "registers", "registers"};
    static constexpr auto interchangeable = std::array{1, 2};
};
ORDEAL_SCENARIO("stop_callback/against_two_destructions", against_two_destructions);

}  // namespace

}  // namespace ordeal::bench
