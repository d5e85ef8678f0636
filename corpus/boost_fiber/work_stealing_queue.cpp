// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/fiber/context.hpp>
#include <boost/fiber/detail/context_spmc_queue.hpp>
#include <cassert>
#include <thread>

// The deque of algo::work_stealing. It asks of a context only whether it is pinned, which memory of zeros is not.
namespace {

struct fiber_in_name {
    alignas(boost::fibers::context) unsigned char memory[sizeof(boost::fibers::context)] = {};
    boost::fibers::context* get() { return reinterpret_cast<boost::fibers::context*>(memory); }
};

fiber_in_name first;
fiber_in_name second;

}  // namespace

void trial() {
    boost::fibers::detail::context_spmc_queue queue(4);
    int taken[2] = {0, 0};
    {
        queue.push(first.get());
        std::jthread thief([&] {
            if (queue.steal() == first.get()) ++taken[0];
        });
        if (queue.pop() == first.get()) ++taken[1];
    }
    assert(taken[0] + taken[1] == 1);
}
