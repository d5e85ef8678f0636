// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>
#include <thread>
#include <utility>

void trial() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::jthread other([promise = std::move(promise)]() mutable { promise.set_value(42); });
    assert(future.get() == 42);
}
