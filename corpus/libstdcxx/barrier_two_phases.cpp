// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <barrier>
#include <cassert>
#include <thread>

void trial() {
    int turn = 0;
    std::barrier phase(2, [&]() noexcept { ++turn; });
    std::jthread other([&] {
        phase.arrive_and_wait();
        assert(turn == 1);
        phase.arrive_and_drop();
    });
    phase.arrive_and_wait();
    assert(turn == 1);
    phase.arrive_and_wait();
    assert(turn == 2);
}
