// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ordeal/coro/detached.hpp>
#include <ordeal/coro/manual_reset_event.hpp>

static ordeal::detached wait_for(ordeal::coro::manual_reset_event<>& event, bool& resumed) {
    co_await event;
    resumed = true;
}

int main() {
    ordeal::coro::manual_reset_event<> event;
    bool resumed = false;
    wait_for(event, resumed);
    if (resumed) return 1;
    event.set();
    return resumed ? 0 : 1;
}
