// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

void trial() {
    libcuckoo::cuckoohash_map<int, int> map(4);
    std::jthread writer([&] { map.insert(1, 42); });
    int value = 42;
    map.find(1, value);
    assert(value == 42);
}
