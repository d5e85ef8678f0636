// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/synchronization/mutex.h"

#include <cassert>
#include <thread>

void trial() {
    absl::Mutex mutex;
    int left = 0;
    int right = 0;
    std::jthread writer([&] {
        const absl::WriterMutexLock lock(&mutex);
        ++left;
        ++right;
    });
    const absl::ReaderMutexLock lock(&mutex);
    assert(left == right);
}
