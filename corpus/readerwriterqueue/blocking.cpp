// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <readerwriterqueue/readerwriterqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::BlockingReaderWriterQueue<int> queue(1);
    std::jthread producer([&] { queue.enqueue(1); });
    int value = 0;
    queue.wait_dequeue(value);
    assert(value == 1);
}
