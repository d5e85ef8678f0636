// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread computes, another waits for what it computed. Needs src/ordeal/coro and src/ordeal/policy, nothing else:
//   c++ -std=c++20 -Isrc -pthread examples/produce_and_consume.cpp
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"

#include <cstdio>
#include <thread>

namespace {

struct channel {
    ordeal::coro::manual_reset_event<> filled;
    int payload = 0;  // plain: written before set(), read after co_await
};

ordeal::coro::task<int> consume(channel& from) {
    co_await from.filled;
    co_return from.payload;
}

ordeal::coro::task<int> add_one(channel& from) { co_return 1 + co_await consume(from); }

}  // namespace

int main() {
    channel channel;
    std::thread producer([&channel] {
        channel.payload = 41;
        channel.filled.set();
    });
    const int result = ordeal::coro::sync_wait(add_one(channel));
    producer.join();
    std::printf("%d\n", result);
    return result == 42 ? 0 : 1;
}
