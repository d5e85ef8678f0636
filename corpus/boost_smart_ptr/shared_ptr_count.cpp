// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/weak_ptr.hpp>
#include <cassert>
#include <thread>

void trial() {
    auto mine = boost::make_shared<int>(0);
    const boost::weak_ptr<int> watched = mine;
    std::jthread other([theirs = mine]() mutable {
        assert(*theirs == 0);
        theirs.reset();
    });
    mine.reset();
    if (const auto alive = watched.lock()) assert(*alive == 0);
}
