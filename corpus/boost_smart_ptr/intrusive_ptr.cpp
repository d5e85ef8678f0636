// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cassert>
#include <thread>

namespace {

struct counted : boost::intrusive_ref_counter<counted> {
    int value = 0;
};

}  // namespace

void trial() {
    boost::intrusive_ptr<counted> mine(new counted);
    std::jthread other([theirs = mine]() mutable {
        assert(theirs->value == 0);
        theirs.reset();
    });
    assert(mine->value == 0);
}
