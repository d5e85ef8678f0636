// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "executor.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace ordeal::bench {

namespace {

struct two_workers {
    static constexpr auto about = "An executor with two workers, two tasks, their results, and its end.";
    static constexpr auto threads = std::array{"main"};

    void run(int /*thread*/) {
        executor workers(2);
        auto first = workers.submit([] { return 40; });
        auto second = workers.submit([] { return 2; });
        require(first.get() + second.get() == 42);
    }
};
ORDEAL_SCENARIO("executor/two_workers", two_workers);

}  // namespace

}  // namespace ordeal::bench
