// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <barrier>
#include <cassert>
#include <thread>

void trial() {
    int steps = 0;
    int left = 0;
    int right = 0;
    std::barrier phase(2, [&]() noexcept { ++steps; });
    std::jthread other([&] {
        right = 1;
        phase.arrive_and_wait();
        assert(left == 1);
    });
    left = 1;
    phase.arrive_and_wait();
    assert(right == 1 && steps == 1);
}
