// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_hash_map.h>
#include <cassert>
#include <thread>

void trial() {
    using map = tbb::concurrent_hash_map<int, int>;
    map values;
    std::jthread writer([&] {
        map::accessor made;
        values.insert(made, 1);
        made->second = 42;
    });
    map::const_accessor found;
    if (values.find(found, 1)) assert(found->second == 42);
}
