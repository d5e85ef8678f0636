// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/synchronization/blocking_counter.h"

#include <cassert>
#include <memory>
#include <thread>

// Who waited may destroy the counter: blocking_counter.h says so.
void trial() {
    auto counter = std::make_unique<absl::BlockingCounter>(1);
    int value = 0;
    std::jthread other([&, counter = counter.get()] {
        value = 1;
        counter->DecrementCount();
    });
    counter->Wait();
    assert(value == 1);
    counter.reset();
}
