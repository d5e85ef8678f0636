// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

void trial() {
    std::packaged_task<int(int)> task([](int n) -> int { throw std::runtime_error(n > 0 ? "positive" : "other"); });
    auto future = task.get_future();
    std::jthread other([task = std::move(task)]() mutable { task(1); });
    try {
        future.get();
        assert(false);
    } catch (const std::runtime_error&) {
    }
}
