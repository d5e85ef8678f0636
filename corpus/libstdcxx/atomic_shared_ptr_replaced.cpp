// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

// A reader keeps what a writer replaces.
void trial() {
    std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(1));
    std::jthread writer([&] { shared.store(std::make_shared<int>(2)); });
    const std::shared_ptr<int> seen = shared.load();
    assert(*seen == 1 || *seen == 2);
}
