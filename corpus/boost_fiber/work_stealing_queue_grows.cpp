// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/fiber/context.hpp>
#include <boost/fiber/detail/context_spmc_queue.hpp>
#include <cassert>
#include <thread>

// The second push makes a larger array, which a thief may find.
namespace {

struct fiber_in_name {
    alignas(boost::fibers::context) unsigned char memory[sizeof(boost::fibers::context)] = {};
    boost::fibers::context* get() { return reinterpret_cast<boost::fibers::context*>(memory); }
};

fiber_in_name first;
fiber_in_name second;

}  // namespace

void trial() {
    boost::fibers::detail::context_spmc_queue queue(1);
    queue.push(first.get());
    std::jthread thief([&] {
        auto* const stolen = queue.steal();
        assert(stolen == nullptr || stolen == first.get() || stolen == second.get());
    });
    queue.push(second.get());
}
