// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../examples/thread_pool/thread_pool.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace ordeal::bench {

namespace {

struct two_threads {
    static constexpr auto about = "A pool of two threads runs two tasks, and ends.";
    static constexpr auto threads = std::array{"main"};

    void run(int /*thread*/) {
        std::array<int, 2> times_run{};
        {
            examples::thread_pool pool(2);
            for (int& each : times_run) pool.submit([&each] { ++each; });
        }
        for (const int each : times_run) require(each == 1, "each task runs once");
    }
};
ORDEAL_SCENARIO("pool/two_threads", two_threads);

}  // namespace

}  // namespace ordeal::bench
