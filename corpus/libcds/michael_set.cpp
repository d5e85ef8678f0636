// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/michael_list_nogc.h>
#include <cassert>
#include <thread>

void trial() {
    struct less_traits : cds::container::michael_list::traits {
        using less = std::less<int>;
    };
    cds::container::MichaelList<cds::gc::nogc, int, less_traits> list;
    {
        std::jthread one([&] { list.insert(1); });
        std::jthread other([&] { list.insert(2); });
    }
    assert(list.size() == 0 || list.size() == 2);
    assert(list.contains(1) != list.end() && list.contains(2) != list.end());
}
