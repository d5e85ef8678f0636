// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/synchronization/notification.h"

#include <cassert>
#include <thread>

void trial() {
    absl::Notification ready;
    int value = 0;
    std::jthread other([&] {
        value = 1;
        ready.Notify();
    });
    ready.WaitForNotification();
    assert(value == 1);
}
