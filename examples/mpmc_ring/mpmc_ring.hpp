// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace examples {

/// A queue of at most `Capacity` values, for any number of threads. Each place has a number that says whose turn it is there: of
/// the n-th push, or of the n-th pop. try_push() and try_pop() do not wait, but a thread that stands between taking its turn
/// and ending it keeps the others from that place: they are told *full* or *empty* meanwhile.
///
/// What a thread did before try_push() happens before what a thread does that pops this value.
///
/// Source: D. Vyukov, "Bounded MPMC queue" (1024cores.net, 2010).
template <class T, std::size_t Capacity>
class mpmc_ring {
    // With one place, "filled by the push before" and "free for this push" would be the same number.
    static_assert(Capacity >= 2 && (Capacity & (Capacity - 1)) == 0, "a power of two, 2 at least");

public:
    mpmc_ring() {
        // order: relaxed: no other thread has the ring yet.
        for (std::size_t i = 0; i < Capacity; ++i) places_[i].turn.store(i, std::memory_order_relaxed);
    }
    mpmc_ring(const mpmc_ring&) = delete;
    mpmc_ring& operator=(const mpmc_ring&) = delete;

    /// False: the ring is full.
    [[nodiscard]] bool try_push(T value) {
        // order: relaxed: a guess. The place says whether it is right.
        std::size_t at = back_.load(std::memory_order_relaxed);
        for (;;) {
            place& here = places_[at % Capacity];
            // order: acquire <- try_pop: the value before has been taken out.
            const auto ahead = static_cast<std::ptrdiff_t>(here.turn.load(std::memory_order_acquire) - at);
            if (ahead < 0) return false;
            if (ahead > 0) {
                // order: relaxed: the next guess.
                at = back_.load(std::memory_order_relaxed);
                // order: (success) relaxed: the turn of this place has been acquired.
                // order: (failure) relaxed: the next guess.
            } else if (back_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
                here.value = std::move(value);
                // order: release -> try_pop: the value.
                here.turn.store(at + 1, std::memory_order_release);
                return true;
            }
        }
    }

    /// Nothing: the ring is empty.
    [[nodiscard]] std::optional<T> try_pop() {
        // order: relaxed: a guess. The place says whether it is right.
        std::size_t at = front_.load(std::memory_order_relaxed);
        for (;;) {
            place& here = places_[at % Capacity];
            // order: acquire <- try_push: the value.
            const auto ahead = static_cast<std::ptrdiff_t>(here.turn.load(std::memory_order_acquire) - (at + 1));
            if (ahead < 0) return std::nullopt;
            if (ahead > 0) {
                // order: relaxed: the next guess.
                at = front_.load(std::memory_order_relaxed);
                // order: (success) relaxed: the turn of this place has been acquired.
                // order: (failure) relaxed: the next guess.
            } else if (front_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
                std::optional<T> value = std::move(here.value);
                // order: release -> try_push: the value has been taken out.
                here.turn.store(at + Capacity, std::memory_order_release);
                return value;
            }
        }
    }

private:
    struct place {
        std::atomic<std::size_t> turn{0};  // n: free for the n-th push; n + 1: it has the value of that push
        T value{};
    };
    alignas(64) std::atomic<std::size_t> back_{0};
    alignas(64) std::atomic<std::size_t> front_{0};
    std::array<place, Capacity> places_;
};

}  // namespace examples
