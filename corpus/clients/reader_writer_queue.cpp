// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <readerwriterqueue/readerwriterqueue.h>

struct queue {
    moodycamel::ReaderWriterQueue<int> values{2};
    void push(int value) { values.enqueue(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_dequeue(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "reader_writer_queue", queue) { declare_channel(clients); }
