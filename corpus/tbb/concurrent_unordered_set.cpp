// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_unordered_set.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_unordered_set<int> values;
    {
        std::jthread one([&] { values.insert(1); });
        std::jthread other([&] { values.insert(1); });
    }
    assert(values.size() == 1 && values.contains(1));
}
