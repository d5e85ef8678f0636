// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

void trial() {
    int cleaned = 0;
    {
        std::jthread worker([&](std::stop_token stop) {
            while (!stop.stop_requested()) std::this_thread::yield();
            cleaned = 1;
        });
    }
    assert(cleaned == 1);
}
