// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace examples {

/// A lock for two threads, 0 and 1, of loads and stores alone. If both want to enter, the one whose turn it is not steps back.
///
/// What a thread did before unlock() happens before what the other one does after lock().
///
/// Source: E. W. Dijkstra, "Cooperating sequential processes" (EWD 123, 1965), where it is T. J. Dekker's.
class dekker_lock {
public:
    dekker_lock() = default;
    dekker_lock(const dekker_lock&) = delete;
    dekker_lock& operator=(const dekker_lock&) = delete;

    void lock(int me) noexcept {
        std::atomic<bool>& mine = wants(me);
        const std::atomic<bool>& others = wants(1 - me);
        // order: seq_cst <-> lock: of two that want to enter, one at least sees the other. If it were weaker, both enter.
        mine.store(true, std::memory_order_seq_cst);
        // order: seq_cst <-> lock: as the store above. acquire <- unlock: what the holder before did.
        while (others.load(std::memory_order_seq_cst)) {
            // order: relaxed: whose turn it is hands nothing over.
            if (turn_.load(std::memory_order_relaxed) == me) {
                std::this_thread::yield();
                continue;
            }
            // order: release -> lock: what this one did when it had the lock before. Since C++20 a store of the same thread does
            //        not continue the release sequence of its unlock, so that this one has to hand it over again.
            mine.store(false, std::memory_order_release);
            // order: relaxed: whose turn it is hands nothing over. What the holder did, the load of the flag acquires.
            while (turn_.load(std::memory_order_relaxed) != me) std::this_thread::yield();
            // order: seq_cst <-> lock: as the first store.
            mine.store(true, std::memory_order_seq_cst);
        }
    }

    void unlock(int me) noexcept {
        // order: relaxed: the other one's turn, which hands nothing over.
        turn_.store(1 - me, std::memory_order_relaxed);
        // order: release -> lock: what this holder did.
        wants(me).store(false, std::memory_order_release);
    }

private:
    std::atomic<bool>& wants(int thread) { return wants_[static_cast<std::size_t>(thread)]; }

    std::array<std::atomic<bool>, 2> wants_{};
    std::atomic<int> turn_{0};
};

}  // namespace examples
