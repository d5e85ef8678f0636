// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace examples {

/// A fair lock: who comes takes a ticket, and has the lock when it is served. Threads enter in the order of their tickets. Not
/// recursive. Works with std::scoped_lock.
///
/// What a thread did before unlock() happens before what the next holder does after lock(), or after a try_lock() that
/// returned true. No other thread may use the lock while it is destroyed; its last holder may destroy it after unlock().
///
/// Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors"
/// (ACM TOCS 9(1), 1991), after D. P. Reed, R. K. Kanodia (CACM 22(2), 1979).
class ticket_lock {
public:
    ticket_lock() = default;
    ticket_lock(const ticket_lock&) = delete;
    ticket_lock& operator=(const ticket_lock&) = delete;

    void lock() noexcept {
        // order: relaxed: a ticket is nobody else's, and hands nothing over.
        const std::uint32_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
        // order: acquire <- unlock: what the holder before did. If it were weaker, the two may race.
        while (served_.load(std::memory_order_acquire) != ticket) std::this_thread::yield();
    }

    /// False: another thread has the lock, or waits for it, or took a ticket meanwhile.
    [[nodiscard]] bool try_lock() noexcept {
        // order: acquire <- unlock: what the holder before did. If it were weaker, the two may race.
        std::uint32_t ticket = served_.load(std::memory_order_acquire);
        // The ticket that is served now is taken if nobody has it yet.
        // order: (success) relaxed: as in lock, a ticket hands nothing over.
        // order: (failure) relaxed: nothing is done with what was read.
        return next_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_relaxed, std::memory_order_relaxed);
    }

    /// By the thread that has the lock.
    void unlock() noexcept {
        // order: relaxed: only the holder writes it.
        const std::uint32_t ticket = served_.load(std::memory_order_relaxed);
        // order: release -> lock, try_lock: what this holder did. If it were weaker, the next one may race with it.
        served_.store(ticket + 1, std::memory_order_release);
    }

private:
    std::atomic<std::uint32_t> next_{0};    // the next ticket
    std::atomic<std::uint32_t> served_{0};  // the ticket whose owner has the lock
};

}  // namespace examples
