// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <concurrentqueue/concurrentqueue.h>

struct queue {
    moodycamel::ConcurrentQueue<int> values{8};
    void push(int value) { values.enqueue(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_dequeue(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "concurrent_queue", queue) { declare_container(clients); }
// Values of one producer alone are in order, and empty may be out of date.
struct bag : queue {};
ORDEAL_CLIENTS(clients, "concurrent_queue_as_bag", bag) { declare_container<order_of::nothing>(clients, true); }
