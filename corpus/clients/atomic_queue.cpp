// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <atomic_queue/atomic_queue.h>

struct queue {
    atomic_queue::AtomicQueue<int, 8> values;
    void push(int value) { values.try_push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "atomic_queue", queue) { declare_container(clients); }
// Empty may be out of date.
struct queue_that_may_fail : queue {};
ORDEAL_CLIENTS(clients, "atomic_queue_may_fail", queue_that_may_fail) { declare_container(clients, true); }
