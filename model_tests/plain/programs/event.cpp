// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event that coroutines wait for. Its waiters lie in their frames, in a list whose head is the event's only word.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <coroutine>
#include <exception>

namespace ordeal::model_tests {

namespace {

// A coroutine that runs by itself, on whatever thread resumes it.
struct detached_task {
    struct promise_type {
        [[nodiscard]] detached_task get_return_object() const noexcept { return {}; }
        [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
        [[nodiscard]] std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
    };
};

struct event_orders {
    std::memory_order set = std::memory_order_acq_rel;
    std::memory_order ready = std::memory_order_acquire;
    std::memory_order push = std::memory_order_release;
    std::memory_order push_failure = std::memory_order_acquire;
};

// nullptr: not set; the event itself: set; else the newest waiter.
template <event_orders Orders>
class coroutine_event {
public:
    struct waiter {
        coroutine_event& event;
        waiter* next = nullptr;
        std::coroutine_handle<> frame;

        [[nodiscard]] bool await_ready() const noexcept { return event.word_.load(Orders.ready) == &event; }
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) noexcept {
            frame = self;
            return event.push(*this);
        }
        void await_resume() const noexcept {}
    };

    [[nodiscard]] waiter operator co_await() noexcept { return {*this, nullptr, {}}; }

    void set() noexcept {
        void* const before = word_.exchange(this, Orders.set);
        if (before == this) return;
        for (auto* each = static_cast<waiter*>(before); each != nullptr;) {
            waiter* const next = each->next;
            each->frame.resume();
            each = next;
        }
    }

private:
    [[nodiscard]] bool push(waiter& self) noexcept {
        void* head = word_.load(std::memory_order_acquire);
        do {
            if (head == this) return false;
            self.next = static_cast<waiter*>(head);
        } while (!word_.compare_exchange_weak(head, &self, Orders.push, Orders.push_failure));
        return true;
    }

    std::atomic<void*> word_{nullptr};
};

template <event_orders Orders>
struct event_with_one_waiter {
    static constexpr auto threads = std::array{"setter", "waiter"};
    coroutine_event<Orders> event;
    int payload = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload = 42;
            event.set();
        } else {
            wait();
        }
    }
    void finish() const { require(seen == 42); }

private:
    detached_task wait() {
        co_await event;
        seen = payload;
    }
};

struct event_with_two_waiters {
    static constexpr auto threads = std::array{"setter", "waiter", "waiter"};
    coroutine_event<event_orders{}> event;
    int payload = 0;
    std::array<int, 3> seen{};

    void run(int thread) {
        if (thread == 0) {
            payload = 42;
            event.set();
        } else {
            wait(seen[static_cast<std::size_t>(thread)]);
        }
    }
    void finish() const { require(seen[1] == 42 && seen[2] == 42); }

private:
    detached_task wait(int& result) {
        co_await event;
        result = payload;
    }
};

constexpr event_orders right{};
// The setter does not see the frame it resumes.
constexpr event_orders set_released{.set = std::memory_order_release};
// The waiter that finds the event set does not see the payload.
constexpr event_orders set_acquired{.set = std::memory_order_acquire};
constexpr event_orders ready_relaxed{.ready = std::memory_order_relaxed};
constexpr event_orders push_relaxed{.push = std::memory_order_relaxed};
constexpr event_orders failure_relaxed{.push_failure = std::memory_order_relaxed};

template <event_orders Orders>
using racy_event = wrong<event_with_one_waiter<Orders>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/event_one_waiter", event_with_one_waiter<right>);
ORDEAL_SCENARIO("programs/event_two_waiters", event_with_two_waiters);
ORDEAL_SCENARIO("programs/event_set_released", racy_event<set_released>);
ORDEAL_SCENARIO("programs/event_set_acquired", racy_event<set_acquired>);
ORDEAL_SCENARIO("programs/event_ready_relaxed", racy_event<ready_relaxed>);
ORDEAL_SCENARIO("programs/event_push_relaxed", racy_event<push_relaxed>);
ORDEAL_SCENARIO("programs/event_push_failure_relaxed", racy_event<failure_relaxed>);

}  // namespace

}  // namespace ordeal::model_tests
