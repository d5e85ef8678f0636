// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace examples {

/// A queue of at most `Capacity` values from one thread, the producer, to one other, the consumer. Nobody waits.
///
/// What the producer did before push() happens before what the consumer does after the pop() of that value; what the consumer
/// did before pop() happens before what the producer does after a push() that used the place again.
///
/// Source: L. Lamport, "Specifying concurrent program modules" (ACM TOPLAS 5(2), 1983); with C11's orders in N. M. Le, A.
/// Guatto, A. Cohen, A. Pop, "Correct and efficient bounded FIFO queues" (SBAC-PAD 2013).
template <class T, std::size_t Capacity>
class spsc_ring {
public:
    spsc_ring() = default;
    spsc_ring(const spsc_ring&) = delete;
    spsc_ring& operator=(const spsc_ring&) = delete;

    /// By the producer alone. False: the ring is full.
    [[nodiscard]] bool push(T value) {
        // order: relaxed: the producer's own.
        const std::size_t back = back_.load(std::memory_order_relaxed);
        // order: acquire <- pop: the consumer has taken what was in this place.
        if (back - front_.load(std::memory_order_acquire) == Capacity) return false;
        places_[back % Capacity] = std::move(value);
        // order: release -> pop: the value.
        back_.store(back + 1, std::memory_order_release);
        return true;
    }

    /// By the consumer alone. Nothing: the ring is empty.
    [[nodiscard]] std::optional<T> pop() {
        // order: relaxed: the consumer's own.
        const std::size_t front = front_.load(std::memory_order_relaxed);
        // order: acquire <- push: the value.
        if (back_.load(std::memory_order_acquire) == front) return std::nullopt;
        std::optional<T> value = std::move(places_[front % Capacity]);
        // order: release -> push: this place has been read.
        front_.store(front + 1, std::memory_order_release);
        return value;
    }

private:
    // Counted without an end; the values from front to back are in the ring.
    alignas(64) std::atomic<std::size_t> back_{0};
    alignas(64) std::atomic<std::size_t> front_{0};
    std::array<T, Capacity> places_{};
};

}  // namespace examples
