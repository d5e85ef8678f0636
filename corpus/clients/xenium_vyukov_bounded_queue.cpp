// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <xenium/vyukov_bounded_queue.hpp>

struct queue {
    xenium::vyukov_bounded_queue<int> values{8};
    void push(int value) { values.try_push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.try_pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "xenium_vyukov_bounded_queue", queue) { declare_container(clients); }
// Empty may be out of date.
struct queue_that_may_fail : queue {};
ORDEAL_CLIENTS(clients, "xenium_vyukov_bounded_queue_may_fail", queue_that_may_fail) {
    declare_container(clients, true);
}
