// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

struct counts {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::atomic<int> count{0};

    void run(int /*thread*/) { ++count; }
};

ORDEAL_SCENARIO("counts", counts);
