// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <thread>

namespace examples {

/// A lock of one flag. A thread that finds it taken only reads until it is free, and then tries to take it: readers share the
/// cache line, and only those who try write to it. Not fair, not recursive. Works with std::scoped_lock.
///
/// What a thread did before unlock() happens before what the next holder does after lock(), or after a try_lock() that
/// returned true. No other thread may use the lock while it is destroyed; its last holder may destroy it after unlock().
///
/// Source: L. Rudolph, Z. Segall, "Dynamic decentralized cache schemes for MIMD parallel processors" (ISCA 1984).
class spin_lock {
public:
    spin_lock() = default;
    spin_lock(const spin_lock&) = delete;
    spin_lock& operator=(const spin_lock&) = delete;

    void lock() noexcept {
        while (!try_lock()) {
            // order: relaxed: a look. Who finds the lock free has still to take it.
            while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
        }
    }

    /// False: another thread has the lock.
    [[nodiscard]] bool try_lock() noexcept {
        // order: acquire <- unlock: what the holder before did. If it were weaker, the two may race.
        return !taken_.exchange(true, std::memory_order_acquire);
    }

    /// By the thread that has the lock.
    void unlock() noexcept {
        // order: release -> try_lock: what this holder did. If it were weaker, the next one may race with it.
        taken_.store(false, std::memory_order_release);
    }

private:
    std::atomic<bool> taken_{false};
};

}  // namespace examples
