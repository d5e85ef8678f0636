// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of bugs that published libraries have had: what completes an operation gives its memory away.
#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <coroutine>

namespace ordeal::exhibits {

namespace {

/// Coroutines wait in a list, and each notification resumes the newest of them.
template <atomic_policy P>
class notified_list {
public:
    class waiter {
    public:
        explicit waiter(notified_list& list) noexcept : list_(list) {}
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> self) noexcept {
            continuation_.write() = typename P::continuation(self);
            list_.add(*this);
        }
        void await_resume() const noexcept {}

    private:
        friend notified_list;

        notified_list& list_;
        typename P::template cell<waiter*> next_{nullptr};
        typename P::template cell<typename P::continuation> continuation_{};
    };

    void add(waiter& newest) noexcept {
        // order: relaxed, for the exchange below hands the waiter over, and reads nothing of the others.
        waiter* old = head_.load(std::memory_order_relaxed);
        do {
            newest.next_.write() = old;
            // order: (success) release -> notify_one: the waiter and its suspended frame.
            // order: (failure) relaxed: as the load above.
        } while (!head_.compare_exchange_weak(old, &newest, std::memory_order_release, std::memory_order_relaxed));
    }

    void notify_one() noexcept {
        // order: acquire <- add: the waiter.
        waiter* newest = head_.load(std::memory_order_acquire);
        // The bug: between the load and here another notification may have taken this waiter, resumed its coroutine and with
        // that destroyed it; its next is read nevertheless.
        // order: (success) acq_rel, release -> the next notification; (failure) acquire <- add: the waiter.
        while (newest != nullptr &&
               !head_.compare_exchange_weak(newest, newest->next_.read(), std::memory_order_acq_rel,
                                            std::memory_order_acquire)) {
        }
        if (newest == nullptr) return;
        typename P::continuation continuation = newest->continuation_.read();
        continuation.resume();
    }

private:
    typename P::template atomic<waiter*> head_{nullptr};
};

template <atomic_policy P>
struct two_notifiers {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_two_notifiers";
    static constexpr auto about = "A notifier reads the next of a waiter that another notifier has resumed and freed.";
    static constexpr auto threads = std::array{"first notifier", "second notifier"};
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);

    notified_list<P> list;

    two_notifiers() { wait(); }
    detached wait() { co_await typename notified_list<P>::waiter(list); }
    void run(int /*thread*/) { list.notify_one(); }
};

ORDEAL_SCENARIO("exhibit/bug_two_notifiers/one_waiter", two_notifiers);

/// An operation that some other thread carries out. It lies in the frame of the coroutine that awaits it.
template <atomic_policy P>
class operation {
public:
    /// Where the thread that carries it out finds it.
    using place = typename P::template atomic<operation*>;

    explicit operation(place& started) noexcept : started_(started) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> self) noexcept {
        continuation_.write() = typename P::continuation(self);
        place& started = started_;  // *this may be gone as soon as it is found
        // order: release -> the thread that carries it out: the operation and the suspended frame.
        started.store(this, std::memory_order_release);
        started.notify_one();
    }
    int await_resume() noexcept { return result_.read(); }

    void complete(int result) noexcept {
        result_.write() = result;
        typename P::continuation continuation = continuation_.read();
        continuation.resume();
        completed_.write() = true;  // the bug: the coroutine has gone on to its end, and *this went with its frame
    }

private:
    place& started_;
    typename P::template cell<typename P::continuation> continuation_{};
    typename P::template cell<int> result_{0};
    typename P::template cell<bool> completed_{false};
};

template <atomic_policy P>
struct touch_after_completion {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_touch_after_completion";
    static constexpr auto about =
        "An operation notes that it is complete after its coroutine went on and destroyed it.";
    static constexpr auto threads = std::array{"starter", "worker"};
    static constexpr auto expected = violated(violation_kind::use_after_free);

    typename operation<P>::place started{nullptr};
    int result = 0;

    void run(int thread) {
        if (thread == 0) return static_cast<void>(start());
        // order: acquire <- await_suspend: the operation.
        started.wait(nullptr, std::memory_order_acquire);
        // order: relaxed: the wait has acquired what is read again.
        started.load(std::memory_order_relaxed)->complete(42);
    }
    detached start() { result = co_await operation<P>(started); }
};

ORDEAL_SCENARIO("exhibit/bug_touch_after_completion/complete", touch_after_completion);

/// A value that one thread sets and another takes; who comes second goes on with it.
template <atomic_policy P>
class one_value {
public:
    void set(int value) noexcept {
        value_.write() = value;
        // order: release -> take: the value.
        state_.exchange(ready, std::memory_order_release);
    }

    /// The value; 0 where it is not there yet, and the taker waits.
    [[nodiscard]] int take() noexcept {
        int seen = empty;
        // order: (success) relaxed: the taker hands nothing over.
        // order: (failure) relaxed, which is the bug: the value that "ready" stands for is not acquired.
        if (state_.compare_exchange_strong(seen, awaited, std::memory_order_relaxed, std::memory_order_relaxed))
            return 0;
        return value_.read();
    }

private:
    static constexpr int empty = 0;
    static constexpr int awaited = 1;
    static constexpr int ready = 2;

    typename P::template atomic<int> state_{empty};
    typename P::template cell<int> value_{0};
};

template <atomic_policy P>
struct relaxed_ready {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_relaxed_ready";
    static constexpr auto about = "A compare-exchange that fails because the value is ready acquires nothing.";
    static constexpr auto threads = std::array{"setter", "taker"};
    static constexpr auto expected = violated(violation_kind::data_race);

    one_value<P> value;
    int taken = 0;

    void run(int thread) {
        if (thread == 0) {
            value.set(42);
        } else {
            taken = value.take();
        }
    }
    void finish() { require(taken == 0 || taken == 42, "a value that is taken is the one that was set"); }
};

ORDEAL_SCENARIO("exhibit/bug_relaxed_ready/set_against_take", relaxed_ready);

}  // namespace

}  // namespace ordeal::exhibits
