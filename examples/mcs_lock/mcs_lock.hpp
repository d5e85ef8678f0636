// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <thread>

namespace examples {

/// A fair lock whose waiters form a list, in which each waits at a flag of its own. So a lock that is handed over touches
/// the cache line of one waiter, and not of all.
///
/// What a thread did before it gave the lock up happens before what the next holder does. No other thread may use the lock while
/// it is destroyed; its last holder may destroy it after unlock.
///
/// Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors"
/// (ACM TOCS 9(1), 1991).
class mcs_lock {
    struct waiter {
        std::atomic<waiter*> next{nullptr};
        std::atomic<bool> waits{true};
    };

public:
    mcs_lock() = default;
    mcs_lock(const mcs_lock&) = delete;
    mcs_lock& operator=(const mcs_lock&) = delete;

    /// Holds the lock as long as it lives. It is the holder's place in the list, so that it cannot be moved.
    class guard {
    public:
        explicit guard(mcs_lock& lock) noexcept : lock_(lock) { lock_.lock(me_); }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard() { lock_.unlock(me_); }

    private:
        mcs_lock& lock_;
        waiter me_;
    };

private:
    void lock(waiter& me) noexcept {
        // order: release -> lock: the waiter, to the one who links itself behind. acquire <- unlock: what the holder before did;
        //        acquire <- lock: the waiter before.
        waiter* const before = last_.exchange(&me, std::memory_order_acq_rel);
        if (before == nullptr) return;
        // order: release -> unlock: the waiter, whose flag is then written.
        before->next.store(&me, std::memory_order_release);
        // order: acquire <- unlock: what the holder before did.
        while (me.waits.load(std::memory_order_acquire)) std::this_thread::yield();
    }

    void unlock(waiter& me) noexcept {
        // order: acquire <- lock: the waiter behind.
        waiter* behind = me.next.load(std::memory_order_acquire);
        if (behind == nullptr) {
            waiter* expected = &me;
            // order: (success) release -> lock: what this holder did.
            // order: (failure) relaxed: somebody has come, and links itself in.
            if (last_.compare_exchange_strong(expected, nullptr, std::memory_order_release,
                                              std::memory_order_relaxed)) {
                return;
            }
            do {
                std::this_thread::yield();
                // order: acquire <- lock: the waiter behind.
                behind = me.next.load(std::memory_order_acquire);
            } while (behind == nullptr);
        }
        // order: release -> lock: what this holder did. The waiter may be gone after this.
        behind->waits.store(false, std::memory_order_release);
    }

    std::atomic<waiter*> last_{nullptr};  // the newest in the list; nullptr: the lock is free
};

}  // namespace examples
