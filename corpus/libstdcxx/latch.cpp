// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <latch>
#include <thread>

void trial() {
    std::latch done(2);
    int first = 0;
    int second = 0;
    std::jthread one([&] {
        first = 1;
        done.count_down();
    });
    std::jthread other([&] {
        second = 1;
        done.arrive_and_wait();
        assert(first == 1);
    });
    done.wait();
    assert(first == 1 && second == 1);
}
