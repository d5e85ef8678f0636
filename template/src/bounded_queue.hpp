// A queue between two threads: one pushes, the other one pops. Nobody waits: a push into a full queue and a pop from an
// empty one return false.
//
// One memory order in this file is wrong. No test on an x86-64 processor shows it, and `ctest --test-dir build` does.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

template <class T, std::size_t Capacity>
class bounded_queue {
public:
    // Called by the producer alone.
    bool try_push(T item) {
        const std::size_t pushed = pushed_.load(std::memory_order_relaxed);
        if (pushed - popped_.load(std::memory_order_acquire) == Capacity) return false;
        slots_[pushed % Capacity] = std::move(item);
        pushed_.store(pushed + 1, std::memory_order_relaxed);  // hands the slot to the consumer
        return true;
    }

    // Called by the consumer alone.
    bool try_pop(T& item) {
        const std::size_t popped = popped_.load(std::memory_order_relaxed);
        if (popped == pushed_.load(std::memory_order_acquire)) return false;
        item = std::move(slots_[popped % Capacity]);
        popped_.store(popped + 1, std::memory_order_release);  // gives the slot back to the producer
        return true;
    }

private:
    std::array<T, Capacity> slots_{};
    std::atomic<std::size_t> pushed_{0};  // items that were ever pushed; written by the producer
    std::atomic<std::size_t> popped_{0};  // items that were ever popped; written by the consumer
};
