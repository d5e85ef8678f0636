// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>
#include <thread>

void trial() {
    std::promise<int> promise;
    const std::shared_future<int> future = promise.get_future().share();
    std::jthread one([future] { assert(future.get() == 1); });
    std::jthread other([future] { assert(future.get() == 1); });
    promise.set_value(1);
}
