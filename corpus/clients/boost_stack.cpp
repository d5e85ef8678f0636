// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specified.hpp"

#include <boost/lockfree/stack.hpp>

struct stack {
    boost::lockfree::stack<int> values{8};
    void push(int value) { values.push(value); }
    std::optional<int> pop() {
        int value = 0;
        if (values.pop(value)) return value;
        return std::nullopt;
    }
};
ORDEAL_CLIENTS(clients, "boost_stack", stack) { declare_container<order_of::reverse_arrival>(clients); }
