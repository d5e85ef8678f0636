// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that knows nothing of ordeal, with a planted bug.
#include <atomic>
#include <cassert>
#include <thread>

struct mailbox {
    int content = 0;
    std::atomic<bool> full{false};

    void put(int value) {
        content = value;
        full.store(true, std::memory_order_relaxed);  // planted: not release
    }
    bool take(int& value) {
        if (!full.load(std::memory_order_acquire)) return false;
        value = content;
        return true;
    }
};

void trial() {
    mailbox box;
    std::thread sender([&] { box.put(42); });
    int value = 42;
    box.take(value);
    assert(value == 42);
    sender.join();
}
