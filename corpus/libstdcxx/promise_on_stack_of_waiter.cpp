// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>
#include <thread>

// The promise ends when its future is ready, while set_value() may not have returned yet.
void trial() {
    std::jthread other;
    {
        std::promise<void> promise;
        auto ready = promise.get_future();
        other = std::jthread([&promise] { promise.set_value(); });
        ready.wait();
    }
}
