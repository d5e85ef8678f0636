// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ways to sleep through the one wake-up there is.
#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <atomic>
#include <coroutine>

namespace ordeal::exhibits {

namespace {

// Store buffering: each side writes its own word and then reads the other's. Both may read the old value.
template <atomic_policy P>
class two_word_completion {
public:
    class awaiter {
    public:
        explicit awaiter(two_word_completion& shared) noexcept : shared_(shared) {}
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) noexcept { return shared_.suspend(self); }
        void await_resume() const noexcept {}

    private:
        two_word_completion& shared_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    void complete() {
        // order: release -> suspend: what was done before. Too weak: it must not be passed by the exchange below.
        completed_.store(true, std::memory_order_release);
        // order: acquire <- suspend: the frame to resume. release -> suspend: the waiter is taken.
        void* const waiter = waiter_.exchange(nullptr, std::memory_order_acq_rel);
        if (waiter != nullptr) P::continuation::from_address(waiter).resume();
    }

private:
    bool suspend(std::coroutine_handle<> self) noexcept {
        const typename P::continuation suspended(self);
        // order: release -> complete: the suspended frame. Too weak: it must not be passed by the load below.
        waiter_.store(suspended.address(), std::memory_order_release);
        // order: acquire <- complete: what was done before. Too weak: as above.
        if (!completed_.load(std::memory_order_acquire)) return true;
        // order: acq_rel <-> complete: one of the two takes the waiter; if complete() has, it resumes the coroutine.
        return waiter_.exchange(nullptr, std::memory_order_acq_rel) == nullptr;
    }

    typename P::template atomic<bool> completed_{false};
    typename P::template atomic<void*> waiter_{nullptr};
};

template <atomic_policy P>
struct check_then_set {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_check_then_set";
    static constexpr auto about = "Completion flag and waiter are two atomics without seq_cst: a completion is lost.";
    static constexpr auto threads = std::array{"completer", "awaiter"};
    static constexpr auto expected = violated(violation_kind::failed_requirement);

    two_word_completion<P> completion;
    bool resumed = false;

    void run(int thread) {
        if (thread == 0) {
            completion.complete();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await completion;
        resumed = true;
    }
    void finish() { require(resumed, "the awaiting coroutine goes on after the completion"); }
};

ORDEAL_SCENARIO("exhibit/bug_check_then_set/complete_against_await", check_then_set);

// The waiter is stored over whatever is there; if the event was set since the ready check, nobody will look again.
template <atomic_policy P>
class overwriting_event {
public:
    class awaiter {
    public:
        explicit awaiter(overwriting_event& event) noexcept : event_(event) {}
        [[nodiscard]] bool await_ready() const noexcept {
            // order: acquire <- set: what was written before set().
            return event_.state_.load(std::memory_order_acquire) == &event_;
        }
        void await_suspend(std::coroutine_handle<> self) noexcept {
            const typename P::continuation suspended(self);
            // order: release -> set: the suspended frame.
            event_.state_.store(suspended.address(), std::memory_order_release);
        }
        void await_resume() const noexcept {}

    private:
        overwriting_event& event_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    void set() {
        // order: release -> await_ready: what was written before. acquire <- await_suspend: the frame to resume.
        void* const old = state_.exchange(this, std::memory_order_acq_rel);
        if (old != nullptr) P::continuation::from_address(old).resume();
    }

private:
    typename P::template atomic<void*> state_{nullptr};
};

template <atomic_policy P>
struct unconditional_suspend {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_unconditional_suspend";
    static constexpr auto about = "An event set between the ready check and the suspension is overlooked.";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = violated(violation_kind::failed_requirement);

    overwriting_event<P> event;
    bool resumed = false;

    void run(int thread) {
        if (thread == 0) {
            event.set();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await event;
        resumed = true;
    }
    void finish() { require(resumed, "the awaiting coroutine goes on after set()"); }
};

ORDEAL_SCENARIO("exhibit/bug_unconditional_suspend/set_against_await", unconditional_suspend);

// A thread that blocks on a counter must read the counter before it checks the condition. This one reads it after.
template <atomic_policy P>
struct stale_ticket {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_stale_ticket";
    static constexpr auto about = "The counter to wait on is read after the check: a change in between is waited for.";
    static constexpr auto threads = std::array{"notifier", "waiter"};
    static constexpr auto expected = violated(violation_kind::deadlock);

    typename P::template atomic<bool> ready{false};
    typename P::template atomic<unsigned> changes{0};

    void run(int thread) {
        if (thread == 0) {
            // order: release -> the check: what was written before.
            ready.store(true, std::memory_order_release);
            // order: release -> the wait: `ready`.
            changes.fetch_add(1u, std::memory_order_release);
            changes.notify_all();
            return;
        }
        // order: acquire <- the store: what was written before.
        while (!ready.load(std::memory_order_acquire)) {
            // order: acquire <- the increment: `ready`.
            const unsigned ticket = changes.load(std::memory_order_acquire);
            // order: acquire <- the increment: `ready`.
            changes.wait(ticket, std::memory_order_acquire);
        }
    }
};

ORDEAL_SCENARIO("exhibit/bug_stale_ticket/notify_against_wait", stale_ticket);

}  // namespace

}  // namespace ordeal::exhibits
