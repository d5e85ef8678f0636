// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cassert>
#include <thread>

void trial() {
    cds::container::VyukovMPMCCycleQueue<int> queue(2);
    std::jthread one([&] { assert(queue.enqueue(1)); });
    std::jthread other([&] { assert(queue.enqueue(2)); });
    int value = 0;
    if (queue.dequeue(value)) assert(value == 1 || value == 2);
}
