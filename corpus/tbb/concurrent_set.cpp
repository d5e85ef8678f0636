// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_set.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_set<int> values;
    std::jthread writer([&] { values.insert(1); });
    const auto found = values.find(1);
    if (found != values.end()) assert(*found == 1);
}
