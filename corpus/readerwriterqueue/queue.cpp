// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <readerwriterqueue/readerwriterqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ReaderWriterQueue<int> queue(1);
    std::jthread producer([&] {
        queue.enqueue(1);
        queue.enqueue(2);
    });
    int value = 0;
    if (queue.try_dequeue(value)) assert(value == 1);
    if (value == 1 && queue.try_dequeue(value)) assert(value == 2);
}
