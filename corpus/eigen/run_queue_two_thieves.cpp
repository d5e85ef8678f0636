// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <unsupported/Eigen/CXX11/ThreadPool>

void trial() {
    Eigen::RunQueue<int, 4> queue;
    int one = 0;
    int other = 0;
    {
        std::jthread first([&] { one = queue.PopBack(); });
        std::jthread second([&] { other = queue.PopBack(); });
        assert(queue.PushFront(1) == 0);
    }
    assert(one + other <= 1);
    if (one + other == 0) assert(queue.PopBack() == 1);
}
