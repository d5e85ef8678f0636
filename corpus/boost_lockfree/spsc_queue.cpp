// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <string>
#include <thread>

void trial() {
    boost::lockfree::spsc_queue<std::string, boost::lockfree::capacity<2>> queue;
    std::jthread producer([&] {
        assert(queue.push("one text that is too long for a string"));
        assert(queue.push("two"));
    });
    std::string value;
    if (queue.pop(value)) assert(value.starts_with("one"));
    if (queue.pop(value)) assert(value == "two" || value.starts_with("one"));
}
