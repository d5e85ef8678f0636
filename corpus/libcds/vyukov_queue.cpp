// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cassert>
#include <thread>

void trial() {
    cds::container::VyukovMPMCCycleQueue<int> queue(2);
    std::jthread producer([&] { assert(queue.enqueue(1)); });
    int value = 1;
    queue.dequeue(value);
    assert(value == 1);
}
