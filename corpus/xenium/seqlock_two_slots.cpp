// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <thread>
#include <xenium/seqlock.hpp>

namespace {

struct two {
    long first;
    long second;
};

}  // namespace

void trial() {
    xenium::seqlock<two, xenium::policy::slots<2>> both(two{0, 0});
    std::jthread writer([&] { both.store(two{1, 1}); });
    const two seen = both.load();
    assert(seen.first == seen.second);
}
