// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scenario beside the one that is replayed.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace {

int letters = 0;

struct letter {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::atomic<int> written{0};
    void run(int thread) {
        if (thread == 0) {
            ++letters;
            written.store(letters, std::memory_order_release);
        } else {
            (void)written.load(std::memory_order_acquire);
        }
    }
};

ORDEAL_SCENARIO("letter/is_written", letter);

}  // namespace
