// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/synchronization/mutex.h"

#include <cassert>
#include <thread>

void trial() {
    absl::Mutex mutex;
    int count = 0;
    const auto add = [&] {
        const absl::MutexLock lock(&mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
