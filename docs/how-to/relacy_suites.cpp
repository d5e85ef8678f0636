// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite of relacy-tests.md.
#include <relacy/relacy_std.hpp>

struct hands_over : rl::test_suite<hands_over, 2> {
    std::atomic<int> ready;
    rl::var<int> letter;

    void before() {
        ready($) = 0;
        letter($) = 0;
    }
    void thread(unsigned index) {
        if (index == 0) {
            letter($) = 42;
            ready.store(1, std::memory_order_relaxed);
        } else if (ready.load(std::memory_order_acquire) == 1) {
            RL_ASSERT(letter($) == 42);
        }
    }
};

int main() {
    rl::test_params params;
    params.iteration_count = 100000;
    rl::simulate<hands_over>(params);
}
