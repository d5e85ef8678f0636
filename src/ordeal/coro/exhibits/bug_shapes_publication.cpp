// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saying "I am done" too early: something of the publisher's is still in use when the reader frees it.
#include "ordeal/coro/exhibits/parked.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <coroutine>
#include <exception>

namespace ordeal::exhibits {

namespace {

// What a blocking wait for a coroutine comes down to, with the flag on the waiter's side.
template <atomic_policy P>
struct notify_after_publish {
    using flag = typename P::template atomic<bool>;

    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_notify_after_publish";
    static constexpr auto about =
        "The waiter frees the flag as soon as it is raised; the notifier notifies after that.";
    static constexpr auto threads = std::array{"waiter", "notifier"};
    static constexpr auto expected = violated(violation_kind::notification_after_destruction);

    flag* const done = new flag(false);

    void run(int thread) {
        if (thread == 0) {
            // order: acquire <- the store below: the result.
            done->wait(false, std::memory_order_acquire);
            delete done;
        } else {
            // order: release -> wait: the result. The notification comes after it and is handed over by nothing.
            done->store(true, std::memory_order_release);
            done->notify_one();
        }
    }
};

ORDEAL_SCENARIO("exhibit/bug_notify_after_publish/wait_then_free", notify_after_publish);

/// A coroutine that says that it has ended when it returns, and not when it stands at its final suspension.
template <atomic_policy P>
class early_task {
public:
    class promise_type {
    public:
        struct final_awaiter {
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> self) const noexcept {
                const typename P::continuation suspended(self);
                (void)suspended;
            }
            void await_resume() const noexcept {}
        };

        [[nodiscard]] early_task get_return_object() noexcept { return early_task(*this); }
        [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
        [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }
        void return_void() noexcept {
            // order: release -> ended: everything the coroutine did, but not its suspension, which comes after.
            ended_.store(true, std::memory_order_release);
        }
        [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }

        [[nodiscard]] bool ended() const noexcept {
            // order: acquire <- return_void: the frame, to destroy it.
            return ended_.load(std::memory_order_acquire);
        }

    private:
        typename P::template atomic<bool> ended_{false};
    };

    [[nodiscard]] bool ended() const noexcept { return promise_->ended(); }
    void destroy() {
        const auto self = std::coroutine_handle<promise_type>::from_promise(*promise_);
        P::continuation::from_address(self.address()).destroy();
    }

private:
    explicit early_task(promise_type& promise) noexcept : promise_(&promise) {}

    promise_type* promise_;
};

template <atomic_policy P>
struct early_completion {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_early_completion";
    static constexpr auto about = "The owner destroys a coroutine that has returned but is not yet suspended for good.";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);

    parked<P> start;
    early_task<P> task = work();
    bool destroyed = false;

    early_task<P> work() { co_await start; }

    void run(int thread) {
        if (thread == 1) {
            start.resume();
        } else if (task.ended()) {
            task.destroy();
            destroyed = true;
        }
    }
    void finish() {
        if (!destroyed) task.destroy();
    }
};

ORDEAL_SCENARIO("exhibit/bug_early_completion/poll_then_destroy", early_completion);

}  // namespace

}  // namespace ordeal::exhibits
