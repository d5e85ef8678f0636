// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <mutex>
#include <thread>

// A call that throws does not count: another one runs.
void trial() {
    std::once_flag once;
    int calls = 0;
    const auto use = [&] {
        try {
            std::call_once(once, [&] {
                if (++calls == 1) throw 1;
            });
        } catch (int) {
        }
    };
    {
        std::jthread one(use);
        std::jthread other(use);
    }
    assert(calls == 2);
}
