// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <xenium/vyukov_bounded_queue.hpp>

void trial() {
    xenium::vyukov_bounded_queue<int> queue(2);
    std::jthread one([&] { assert(queue.try_push(1)); });
    std::jthread other([&] { assert(queue.try_push(2)); });
    int value = 0;
    if (queue.try_pop(value)) assert(value == 1 || value == 2);
}
