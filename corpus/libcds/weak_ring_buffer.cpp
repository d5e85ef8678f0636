// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/container/weak_ringbuffer.h>
#include <cassert>
#include <thread>

void trial() {
    cds::container::WeakRingBuffer<int> ring(2);
    std::jthread producer([&] {
        assert(ring.push(1));
        assert(ring.push(2));
    });
    int value = 0;
    if (ring.pop(value)) assert(value == 1);
    if (value == 1 && ring.pop(value)) assert(value == 2);
}
