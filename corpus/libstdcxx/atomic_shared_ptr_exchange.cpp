// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

void trial() {
    std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(1));
    auto expected = shared.load();
    std::jthread other([&] { shared.exchange(std::make_shared<int>(2)); });
    const bool done = shared.compare_exchange_strong(expected, std::make_shared<int>(3));
    assert(done || *expected == 2);
}
