// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/fiber/detail/spinlock_ttas_adaptive.hpp>
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    boost::fibers::detail::spinlock_ttas_adaptive mutex;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard<boost::fibers::detail::spinlock_ttas_adaptive> lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
