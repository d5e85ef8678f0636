// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    std::once_flag once;
    int made = 0;
    const auto use = [&] {
        std::call_once(once, [&] { ++made; });
        assert(made == 1);
    };
    std::jthread one(use);
    std::jthread other(use);
    use();
}
