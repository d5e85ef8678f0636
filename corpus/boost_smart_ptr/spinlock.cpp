// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/smart_ptr/detail/spinlock.hpp>
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    boost::detail::spinlock mutex = BOOST_DETAIL_SPINLOCK_INIT;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard<boost::detail::spinlock> lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
