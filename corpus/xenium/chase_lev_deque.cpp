// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

void trial() {
    int item = 0;
    xenium::chase_work_stealing_deque<int> deque;
    int taken[2] = {0, 0};
    {
        std::jthread thief([&] {
            int* found = nullptr;
            if (deque.try_steal(found)) taken[0] = ++*found;
        });
        item = 1;
        assert(deque.try_push(&item));
        int* found = nullptr;
        if (deque.try_pop(found)) taken[1] = ++*found;
    }
    assert(taken[0] + taken[1] == 2);
}
