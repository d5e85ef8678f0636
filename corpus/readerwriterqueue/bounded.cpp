// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <readerwriterqueue/readerwriterqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ReaderWriterQueue<int> queue(1);
    std::jthread producer([&] {
        queue.try_enqueue(1);
        queue.try_enqueue(2);
    });
    if (const int* const front = queue.peek()) {
        assert(*front == 1);
        assert(queue.pop());
    }
}
