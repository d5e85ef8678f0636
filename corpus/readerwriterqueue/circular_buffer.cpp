// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(1);
    std::jthread producer([&] {
        buffer.wait_enqueue(1);
        buffer.wait_enqueue(2);
    });
    int value = 0;
    buffer.wait_dequeue(value);
    assert(value == 1);
    buffer.wait_dequeue(value);
    assert(value == 2);
}
