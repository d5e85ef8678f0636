// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <unsupported/Eigen/CXX11/ThreadPool>

void trial() {
    int content = 0;
    Eigen::RunQueue<int*, 4> queue;
    std::jthread thief([&] {
        if (const int* const found = queue.PopBack()) assert(*found == 42);
    });
    content = 42;
    assert(queue.PushFront(&content) == nullptr);
    thief.join();
    queue.PopFront();
}
