// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The production code's event, in the copy of its header that stands beside this file.
#include "manual_reset_event.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <cassert>
#include <thread>

namespace {

using event = ordeal::coro::manual_reset_event<ordeal::std_policy>;

ordeal::detached wait(event& until, const int& payload, int& seen) {
    co_await until;
    seen = payload;
}

}  // namespace

void trial() {
    event done;
    int payload = 0;
    int seen = 0;
    std::thread setter([&] {
        payload = 42;
        done.set();
    });
    wait(done, payload, seen);
    setter.join();
    assert(seen == 42);
}
