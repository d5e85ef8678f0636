// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace examples {

/// Lets threads block until a condition over lock-free data holds. It has no data of its own: a condition variable
/// without a mutex. To notify costs a fence and a load while nobody waits.
///
///     waiter:    events.await([&] { return queue.try_pop(element); });
///     notifier:  queue.push(element); events.notify_one();
///
/// Thread safety: any number of threads may wait and notify at the same time.
/// Ordering:      a condition that a thread made true before notify_one() or notify_all() is seen by whoever waits for
///                it. What else is visible then is up to the orders of the condition.
/// Errors:        what `condition` throws leaves await().
/// Lifetime:      it must not be destroyed before every notify_one() and notify_all() has returned.
/// Source:        D. Vyukov, "Eventcount" (1024cores, 2010); the waiting by std::atomic::wait is ours.
class event_count {
public:
    event_count() = default;
    event_count(const event_count&) = delete;
    event_count& operator=(const event_count&) = delete;

    /// Blocks until `condition()` returns true.
    template <class Condition>
    void await(Condition condition) {
        while (!condition()) {
            const announcement here(waiters_);
            const std::uint32_t epoch = look();
            if (condition()) return;
            // order: relaxed: nothing is read; the condition is looked at again.
            epoch_.wait(epoch, std::memory_order_relaxed);
        }
    }

    /// Wakes at least one of the threads that wait, if there are any.
    void notify_one() noexcept {
        if (advance()) epoch_.notify_one();
    }

    /// Wakes all threads that wait.
    void notify_all() noexcept {
        if (advance()) epoch_.notify_all();
    }

private:
    class announcement {
    public:
        explicit announcement(std::atomic<std::uint32_t>& waiters) noexcept : waiters_(waiters) {
            // order: relaxed: the fence in look() keeps it before the condition.
            waiters_.fetch_add(1, std::memory_order_relaxed);
        }
        announcement(const announcement&) = delete;
        announcement& operator=(const announcement&) = delete;
        ~announcement() {
            // order: relaxed: a notifier that still sees this waiter notifies once too often.
            waiters_.fetch_sub(1, std::memory_order_relaxed);
        }

    private:
        std::atomic<std::uint32_t>& waiters_;
    };

    [[nodiscard]] std::uint32_t look() const noexcept {
        // order: seq_cst <-> advance (fence): of a notifier and a waiter at least one sees the other: the notifier this
        //        waiter, or the waiter the condition. Without it both may look too early, and the wake-up is lost.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // order: acquire <- advance (fence): the condition. Relaxed, a waiter may have the new epoch and the old
        //        condition, and wait for an epoch that never comes.
        return epoch_.load(std::memory_order_acquire);
    }

    [[nodiscard]] bool advance() noexcept {
        // order: seq_cst <-> look (fence): as there.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        // order: relaxed: the fence above keeps it after the condition.
        if (waiters_.load(std::memory_order_relaxed) == 0) return false;
        // order: relaxed: the fence above is its release -> look: the condition.
        epoch_.fetch_add(1, std::memory_order_relaxed);
        return true;
    }

    std::atomic<std::uint32_t> waiters_{0};
    std::atomic<std::uint32_t> epoch_{0};
};

}  // namespace examples
