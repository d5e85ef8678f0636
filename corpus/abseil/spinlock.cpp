// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/base/internal/spinlock.h"

#include <cassert>
#include <thread>

void trial() {
    absl::base_internal::SpinLock mutex;
    int count = 0;
    const auto add = [&] {
        absl::base_internal::SpinLockHolder lock(&mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
