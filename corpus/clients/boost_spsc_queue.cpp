// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <boost/lockfree/spsc_queue.hpp>

struct queue {
    boost::lockfree::spsc_queue<int, boost::lockfree::capacity<8>> values;
    void push(int value) { values.push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "boost_spsc_queue", queue) { declare_channel(clients); }
