// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

// The functions that atomic<shared_ptr> came after: a table of mutexes, in the library itself.
void trial() {
    auto shared = std::make_shared<int>(1);
    std::jthread writer([&] { std::atomic_store(&shared, std::make_shared<int>(2)); });
    const auto seen = std::atomic_load(&shared);
    assert(*seen == 1 || *seen == 2);
}
