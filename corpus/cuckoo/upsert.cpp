// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

void trial() {
    libcuckoo::cuckoohash_map<int, int> map(4);
    const auto add = [&] { map.upsert(1, [](int& value) { ++value; }, 1); };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(map.find(1) == 2);
}
