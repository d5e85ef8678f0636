// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

// Real threads, plain shared data: under ThreadSanitizer a missing order shows as a data race, under AddressSanitizer
// a wrong lifetime as a use after free.
namespace {

using ordeal::coro::awaitable_event;
using ordeal::coro::detached;
using ordeal::coro::manual_reset_event;
using ordeal::coro::task;
using ordeal::test::block_count;
using ordeal::test::counted;
using ordeal::test::rounds;
using ordeal::test::run_together;

template <class Event>
detached consume(Event& event, const int& payload, int& seen) {
    co_await event;
    seen = payload;
}

template <class Event>
detached count_passes(Event& event, std::atomic<int>& passed) {
    co_await event;
    passed.fetch_add(1, std::memory_order_relaxed);
}

detached destroy_when_resumed(std::unique_ptr<manual_reset_event<>>& event, int& done) {
    co_await *event;
    event.reset();
    ++done;
}

detached hold(std::optional<awaitable_event<>>& event, int& done) {
    co_await *event;
    ++done;
}

task<int> answer(manual_reset_event<>& event, const int& payload, counted) {
    co_await event;
    co_return payload;
}

detached take(task<int> from, int& seen) { seen = co_await std::move(from); }

}  // namespace

TEMPLATE_TEST_CASE("every waiter sees what was written before set(), suspended or not", "", manual_reset_event<>,
                   awaitable_event<>) {
    const block_count blocks;
    int right = 0;
    for (int round = 0; round < rounds; ++round) {
        TestType event;
        int payload = -1;
        std::array<int, 2> seen{-1, -1};
        run_together(
            [&] {
                payload = round;
                event.set();
            },
            [&] { consume(event, payload, seen[0]); }, [&] { consume(event, payload, seen[1]); });
        right += seen[0] == round && seen[1] == round ? 1 : 0;
    }
    CHECK(right == rounds);
    CHECK(blocks.unchanged());
}

TEMPLATE_TEST_CASE("set() on two threads resumes each waiter exactly once", "", manual_reset_event<>,
                   awaitable_event<>) {
    std::atomic<int> passed{0};
    for (int round = 0; round < rounds; ++round) {
        TestType event;
        run_together([&] { event.set(); }, [&] { event.set(); }, [&] { count_passes(event, passed); });
    }
    CHECK(passed.load() == rounds);
}

TEMPLATE_TEST_CASE("a waiter meets set() and reset() and is resumed by the next set() at the latest", "",
                   manual_reset_event<>, awaitable_event<>) {
    std::atomic<int> passed{0};
    for (int round = 0; round < rounds; ++round) {
        TestType event;
        run_together([&] { event.set(); }, [&] { event.reset(); }, [&] { count_passes(event, passed); });
        event.set();
    }
    CHECK(passed.load() == rounds);
}

TEST_CASE("a waiter that was resumed destroys the event that another thread is still setting") {
    int done = 0;
    for (int round = 0; round < rounds; ++round) {
        auto event = std::make_unique<manual_reset_event<>>();
        // The waiter is queued first: who finds the event set has no claim that set() has returned.
        destroy_when_resumed(event, done);
        run_together([setting = event.get()] { setting->set(); });
    }
    CHECK(done == rounds);
}

TEST_CASE("the last handle of an awaitable_event may be dropped while another thread sets through its own") {
    const block_count blocks;
    int done = 0;
    for (int round = 0; round < rounds; ++round) {
        std::optional<awaitable_event<>> waiting(std::in_place);
        std::optional<awaitable_event<>> setting(waiting);
        run_together(
            [&] {
                setting->set();
                setting.reset();
            },
            [&] {
                hold(waiting, done);
                waiting.reset();
            });
    }
    CHECK(done == rounds);
    CHECK(blocks.unchanged());
}

TEST_CASE("a task that completes on one thread while another awaits it hands its result over") {
    const block_count blocks;
    std::atomic<int> live{0};
    int right = 0;
    for (int round = 0; round < rounds; ++round) {
        manual_reset_event<> event;
        int payload = -1;
        int seen = -1;
        auto subject = answer(event, payload, counted(live));
        run_together(
            [&] {
                payload = round;
                event.set();
            },
            [&] { take(std::move(subject), seen); });
        right += seen == round ? 1 : 0;
    }
    CHECK(right == rounds);
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}

TEST_CASE("a task that completes on one thread while another abandons it is freed once") {
    const block_count blocks;
    std::atomic<int> live{0};
    for (int round = 0; round < rounds; ++round) {
        manual_reset_event<> event;
        int payload = round;
        std::optional<task<int>> subject(answer(event, payload, counted(live)));
        run_together([&] { event.set(); }, [&] { subject.reset(); });
    }
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}

TEST_CASE("a task found ready by a poll has its result visible to the poller") {
    const block_count blocks;
    std::atomic<int> live{0};
    int right = 0;
    for (int round = 0; round < rounds; ++round) {
        manual_reset_event<> event;
        int payload = -1;
        int seen = -1;
        auto subject = answer(event, payload, counted(live));
        run_together(
            [&] {
                payload = round;
                event.set();
            },
            [&] {
                (void)subject.is_ready();
                take(std::move(subject), seen);
            });
        right += seen == round ? 1 : 0;
    }
    CHECK(right == rounds);
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}
