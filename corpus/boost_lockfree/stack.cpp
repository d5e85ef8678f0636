// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::stack<int> stack(1);
    std::jthread producer([&] { stack.push(1); });
    int value = 1;
    stack.pop(value);
    assert(value == 1);
}
