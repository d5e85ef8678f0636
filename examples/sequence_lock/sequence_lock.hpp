// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>

namespace examples {

/// A few words that one thread at a time writes, and any thread reads. Readers write nothing: they read again when a write came
/// in between. write() never waits; read() waits while writes keep coming.
///
/// Calls of write() must be ordered, by a mutex say. A value that read() returns was written as a whole, or is the initial
/// one. What a thread did before write() happens before what a thread does that has read this value, or a later one.
///
/// Source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?" (MSPC 2012).
template <std::size_t Words>
class sequence_lock {
public:
    using value_type = std::array<std::uint64_t, Words>;

    sequence_lock() = default;
    sequence_lock(const sequence_lock&) = delete;
    sequence_lock& operator=(const sequence_lock&) = delete;

    void write(const value_type& value) noexcept {
        // order: relaxed: writers are ordered by the caller.
        const std::uint64_t before = sequence_.load(std::memory_order_relaxed);
        // order: relaxed: the fence below keeps it before the words.
        sequence_.store(before + 1, std::memory_order_relaxed);
        // order: release -> try_read: that a write has begun, to who has read one of its words.
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < Words; ++i) {
            // order: relaxed: the fence above, and the store below, hand it over.
            words_[i].store(value[i], std::memory_order_relaxed);
        }
        // order: release -> try_read: the words.
        sequence_.store(before + 2, std::memory_order_release);
    }

    /// Nothing: a write came in between.
    [[nodiscard]] std::optional<value_type> try_read() const noexcept {
        // order: acquire <- write: the words of the write that is over.
        const std::uint64_t before = sequence_.load(std::memory_order_acquire);
        if (before % 2 != 0) return std::nullopt;
        value_type value;
        for (std::size_t i = 0; i < Words; ++i) {
            // order: relaxed: the fence below acquires what belongs to it.
            value[i] = words_[i].load(std::memory_order_relaxed);
        }
        // order: acquire <- write: that a write has begun, if one of its words was read.
        std::atomic_thread_fence(std::memory_order_acquire);
        // order: relaxed: the fence above keeps it after the words.
        if (sequence_.load(std::memory_order_relaxed) != before) return std::nullopt;
        return value;
    }

    [[nodiscard]] value_type read() const noexcept {
        for (;;) {
            if (const auto value = try_read()) return *value;
            std::this_thread::yield();
        }
    }

private:
    std::atomic<std::uint64_t> sequence_{0};  // odd: a write has begun
    std::array<std::atomic<std::uint64_t>, Words> words_{};
};

}  // namespace examples
