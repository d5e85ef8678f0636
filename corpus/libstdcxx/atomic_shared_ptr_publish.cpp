// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

void trial() {
    std::atomic<std::shared_ptr<int>> shared;
    std::jthread publisher([&] { shared.store(std::make_shared<int>(42)); });
    const std::shared_ptr<int> seen = shared.load();
    assert(!seen || *seen == 42);
}
