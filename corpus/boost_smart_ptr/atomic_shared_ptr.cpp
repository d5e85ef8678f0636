// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/make_shared.hpp>
#include <boost/smart_ptr/atomic_shared_ptr.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::atomic_shared_ptr<int> shared(boost::make_shared<int>(1));
    std::jthread writer([&] { shared.store(boost::make_shared<int>(2)); });
    const auto seen = shared.load();
    assert(*seen == 1 || *seen == 2);
}
