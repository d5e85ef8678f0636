// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace examples {

/// A lock for two threads, 0 and 1. Who comes gives way to the other one; who gave way last, waits.
///
/// What a thread did before unlock() happens before what the other one does after lock().
///
/// Source: G. L. Peterson, "Myths about the mutual exclusion problem" (IPL 12(3), 1981). Giving way by an exchange, which
/// needs no seq_cst, is A. Williams' (justsoftwaresolutions.co.uk, 2008).
class peterson_lock {
public:
    peterson_lock() = default;
    peterson_lock(const peterson_lock&) = delete;
    peterson_lock& operator=(const peterson_lock&) = delete;

    void lock(int me) noexcept {
        // order: relaxed: the exchange below hands it over.
        wants(me).store(true, std::memory_order_relaxed);
        // order: release -> lock: that this one wants to enter. acquire <- lock: that the other one does. Of two exchanges one is
        //        the second, and sees the first; if it were weaker, the second may miss that the other one wants to enter.
        waits_.exchange(me, std::memory_order_acq_rel);
        // order: acquire <- unlock: what the holder before did.
        while (wants(1 - me).load(std::memory_order_acquire) &&
               // order: acquire <- lock: the other one came again, after it had unlocked: what it did before.
               waits_.load(std::memory_order_acquire) == me) {
            std::this_thread::yield();
        }
    }

    void unlock(int me) noexcept {
        // order: release -> lock: what this holder did.
        wants(me).store(false, std::memory_order_release);
    }

private:
    std::atomic<bool>& wants(int thread) { return wants_[static_cast<std::size_t>(thread)]; }

    std::array<std::atomic<bool>, 2> wants_{};
    std::atomic<int> waits_{0};  // who gave way last
};

}  // namespace examples
