// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/weak_ptr.hpp>
#include <cassert>
#include <thread>

namespace {

struct thing {
    int value = 0;
    ~thing() { value = -1; }
};

}  // namespace

void trial() {
    auto mine = boost::make_shared<thing>();
    const boost::weak_ptr<thing> watched = mine;
    std::jthread other([theirs = mine]() mutable {
        assert(theirs->value == 0);
        theirs.reset();
    });
    mine.reset();
    if (const auto alive = watched.lock()) assert(alive->value == 0);
}
