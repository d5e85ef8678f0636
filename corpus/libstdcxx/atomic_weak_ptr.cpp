// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

void trial() {
    std::atomic<std::weak_ptr<int>> cached;
    std::jthread owner([&] {
        const auto mine = std::make_shared<int>(7);
        cached.store(mine);
    });
    if (const auto seen = cached.load().lock()) assert(*seen == 7);
}
