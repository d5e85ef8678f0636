// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <unsupported/Eigen/CXX11/ThreadPool>

// The owner works at the front, a thief at the back. Zero is no work.
void trial() {
    Eigen::RunQueue<int, 4> queue;
    int taken[2] = {0, 0};
    {
        assert(queue.PushFront(1) == 0);
        std::jthread thief([&] { taken[0] = queue.PopBack(); });
        taken[1] = queue.PopFront();
    }
    assert(taken[0] + taken[1] <= 1);
    if (taken[0] + taken[1] == 0) assert(queue.PopFront() == 1);
    assert(queue.Empty());
}
