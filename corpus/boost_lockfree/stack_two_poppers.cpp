// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

// Nodes come back to the list of free ones, and from there into the stack: the counted pointers are against ABA.
void trial() {
    boost::lockfree::stack<int, boost::lockfree::capacity<3>> stack;
    stack.push(1);
    stack.push(2);
    int first = 0;
    int second = 0;
    {
        std::jthread one([&] { assert(stack.pop(first)); });
        std::jthread other([&] {
            assert(stack.pop(second));
            stack.push(second);
        });
    }
    int last = 0;
    assert(stack.pop(last) && stack.empty());
    assert(first + last == 3 || first == second);
}
