// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <utility>
#include <xenium/left_right.hpp>

void trial() {
    xenium::left_right<std::pair<int, int>> both;
    std::jthread writer([&] {
        both.update([](auto& values) {
            ++values.first;
            ++values.second;
        });
    });
    both.read([](const auto& values) { assert(values.first == values.second); });
}
