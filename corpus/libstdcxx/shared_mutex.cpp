// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

void trial() {
    std::shared_mutex mutex;
    int left = 0;
    int right = 0;
    std::jthread writer([&] {
        const std::unique_lock lock(mutex);
        ++left;
        ++right;
    });
    const auto read = [&] {
        const std::shared_lock lock(mutex);
        assert(left == right);
    };
    std::jthread reader(read);
    read();
}
