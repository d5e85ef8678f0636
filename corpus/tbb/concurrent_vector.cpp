// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_vector.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_vector<int> values;
    {
        std::jthread one([&] { assert(*values.push_back(1) == 1); });
        std::jthread other([&] { assert(*values.push_back(2) == 2); });
    }
    assert(values.size() == 2 && values[0] + values[1] == 3);
}
