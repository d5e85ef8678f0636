// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <tbb/concurrent_queue.h>

struct queue {
    tbb::concurrent_queue<int> values;
    void push(int value) { values.push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "tbb_concurrent_queue", queue) { declare_container(clients); }
// Empty may be out of date.
struct queue_that_may_fail : queue {};
ORDEAL_CLIENTS(clients, "tbb_concurrent_queue_may_fail", queue_that_may_fail) { declare_container(clients, true); }
