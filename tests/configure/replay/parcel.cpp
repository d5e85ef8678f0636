// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parcel that is handed over without an order, beside a coroutine that waits for another one.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <coroutine>
#include <mutex>

#ifndef PUBLISHING
#define PUBLISHING relaxed
#endif

namespace {

struct fire_and_forget {
    struct promise_type {
        fire_and_forget get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};

struct doorbell {
    std::atomic<void*> waiter{nullptr};

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> who) noexcept { waiter.store(who.address(), std::memory_order_relaxed); }
    void await_resume() const noexcept {}
};

class parcel {
public:
    static constexpr auto threads = std::array{"sender", "receiver"};

    parcel() { wait_for_bell(3); }
    void run(int thread) { thread == 0 ? send() : receive(); }
    void finish() { std::coroutine_handle<>::from_address(bell_.waiter.load()).destroy(); }

private:
    void send() {
        const int weight = 42;
        content_ = weight;
#ifdef REWRITTEN
        there_.exchange(true, std::memory_order_relaxed);
#else
        there_.store(true, std::memory_order::PUBLISHING);
#endif
    }
    void receive() {
        int price = 7;
        if (there_.load(std::memory_order_acquire)) price += content_;
        ordeal::require(price == 7 || price == 49, "the price is that of the parcel");
    }
    fire_and_forget wait_for_bell(int times) {
        int rung = 0;
        while (rung < times) {
            co_await bell_;
            ++rung;
        }
    }

    doorbell bell_;
    int content_ = 0;
    std::atomic<bool> there_{false};
};

ORDEAL_SCENARIO("parcel/is_handed_over", parcel);

// Each has one of two doors and wants the other.
struct two_doors {
    static constexpr auto threads = std::array{"in", "out"};
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::deadlock);

    std::mutex front;
    std::mutex back;

    void run(int thread) { thread == 0 ? pass(front, back) : pass(back, front); }
    [[gnu::noinline]] static void pass(std::mutex& first, std::mutex& second) {
        const std::lock_guard one(first);
        const std::lock_guard other(second);
    }
};

ORDEAL_SCENARIO("parcel/two_doors", two_doors);

}  // namespace
