// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <latch>
#include <memory>
#include <thread>

// Who waited destroys the latch, while the other's count_down() may not have returned yet.
void trial() {
    auto done = std::make_unique<std::latch>(1);
    std::jthread other([latch = done.get()] { latch->count_down(); });
    done->wait();
    done.reset();
}
