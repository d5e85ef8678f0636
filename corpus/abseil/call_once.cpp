// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/base/call_once.h"

#include <cassert>
#include <thread>

void trial() {
    absl::once_flag once;
    int made = 0;
    const auto use = [&] {
        absl::call_once(once, [&] { ++made; });
        assert(made == 1);
    };
    std::jthread other(use);
    use();
}
