// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>
#include <thread>
#include <utility>

void trial() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::jthread other([promise = std::move(promise)] {});
    try {
        future.get();
        assert(false);
    } catch (const std::future_error& error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
}
