// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <boost/lockfree/queue.hpp>

struct queue {
    boost::lockfree::queue<int> values{8};
    void push(int value) { values.push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "boost_queue", queue) { declare_container(clients); }
