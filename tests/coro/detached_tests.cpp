// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"

#include "ordeal/coro/manual_reset_event.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using ordeal::coro::detached;
using ordeal::test::block_count;
using ordeal::test::counted;
using event_type = ordeal::coro::manual_reset_event<>;

detached run(event_type& event, counted, std::thread::id& started, std::thread::id& ended) {
    started = std::this_thread::get_id();
    co_await event;
    ended = std::this_thread::get_id();
}

detached fail() {
    throw std::runtime_error("escapes");
    co_return;
}

constexpr int terminated = 42;

}  // namespace

TEST_CASE("a detached coroutine starts on the caller's thread and frees its frame on the one that resumed it") {
    const block_count blocks;
    event_type event;
    std::atomic<int> live{0};
    std::thread::id started;
    std::thread::id ended;
    run(event, counted(live), started, ended);
    CHECK(started == std::this_thread::get_id());
    CHECK(live.load() == 1);
    std::thread::id setter;
    std::thread([&] {
        setter = std::this_thread::get_id();
        event.set();
    }).join();
    CHECK(ended == setter);
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}

TEST_CASE("a detached coroutine has an empty return type that ordeal names too") {
    STATIC_REQUIRE(std::is_same_v<ordeal::detached, detached>);
    STATIC_REQUIRE(std::is_empty_v<detached>);
}

TEST_CASE("an exception that escapes a detached coroutine ends the program") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::set_terminate([] { _exit(terminated); });
        try {
            fail();
        } catch (...) {  // NOLINT: it must not get here
        }
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == terminated);
}
