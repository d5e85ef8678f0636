// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of production.cpp as one would write them by hand: std::atomic and plain members, no policy, no cell.
#include <atomic>
#include <coroutine>
#include <cstdint>

namespace {

struct plain_waiter;

struct plain_event {
    std::atomic<void*> state{nullptr};

    bool is_set() const noexcept { return state.load(std::memory_order_acquire) == this; }
    void set() noexcept;
    void reset() noexcept;
    bool push(plain_waiter& waiter) noexcept;
};

struct plain_waiter {
    plain_event& event;
    plain_waiter* next = nullptr;
    std::coroutine_handle<> continuation{};

    bool await_ready() const noexcept { return event.is_set(); }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        continuation = awaiting;
        return event.push(*this);
    }
};

bool plain_event::push(plain_waiter& waiter) noexcept {
    void* seen = state.load(std::memory_order_acquire);
    do {
        if (seen == this) return false;
        waiter.next = static_cast<plain_waiter*>(seen);
    } while (!state.compare_exchange_weak(seen, &waiter, std::memory_order_release, std::memory_order_acquire));
    return true;
}

void plain_event::set() noexcept {
    void* const old = state.exchange(this, std::memory_order_acq_rel);
    if (old == this) return;
    for (auto* waiter = static_cast<plain_waiter*>(old); waiter != nullptr;) {
        plain_waiter* const next = waiter->next;
        waiter->continuation.resume();
        waiter = next;
    }
}

void plain_event::reset() noexcept {
    void* expected = this;
    state.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed, std::memory_order_relaxed);
}

struct plain_task_state {
    std::atomic<std::uintptr_t> word{0};

    bool ready() const noexcept { return word.load(std::memory_order_acquire) == 1; }
    bool abandon() noexcept { return word.exchange(2, std::memory_order_acq_rel) == 1; }
};

struct plain_promise {
    plain_task_state state;
    int result = 0;

    void abandon() noexcept {
        if (!state.abandon()) return;
        std::coroutine_handle<plain_promise>::from_promise(*this).destroy();
    }
};

}  // namespace

extern "C" {

void event_set(void* event) { static_cast<plain_event*>(event)->set(); }
void event_reset(void* event) { static_cast<plain_event*>(event)->reset(); }
bool event_await_ready(const void* waiter) { return static_cast<const plain_waiter*>(waiter)->await_ready(); }
bool event_await_suspend(void* waiter, void* coroutine) {
    return static_cast<plain_waiter*>(waiter)->await_suspend(std::coroutine_handle<>::from_address(coroutine));
}
bool task_ready(const void* state) { return static_cast<const plain_task_state*>(state)->ready(); }
void task_abandon(void* promise) { static_cast<plain_promise*>(promise)->abandon(); }
}
