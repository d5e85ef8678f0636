// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_id.hpp"
#include "ordeal/runtime/runtime.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ordeal::detail::graph {

/// Threads of one execution: id 0 constructs, finishes and destroys the scenario, the others are its threads.
inline constexpr std::size_t max_thread_ids = thread_slots;
inline constexpr int main_thread_id = 0;

/// A set of events that is closed under program order, as the number of events of each thread: a vector clock.
///
/// Whole views are joined and compared for each event, so the loops work on many lanes at once. Baseline x86-64 has no
/// maximum for such lanes, so max(a, b) = a + (b - a), where a difference below 0 is 0. Views that were written whole
/// are read whole: a whole read after a store to a single lane would have to wait for that store. Few programs have as
/// many threads as there are lanes. Lanes that no view of this process has used are 0 and skipped.
class view {
public:
    /// No view holds an event of a thread with this id or a higher one.
    [[nodiscard]] static std::size_t lanes() noexcept { return lanes_in_use; }

    [[nodiscard]] event_index operator[](std::size_t thread_id) const noexcept { return counts_[thread_id]; }
    [[nodiscard]] constexpr event_index& operator[](std::size_t thread_id) noexcept {
        if (!std::is_constant_evaluated()) use(thread_id);
        return counts_[thread_id];
    }

    void clear() noexcept {
        for_each_part([&](std::size_t i) { store(i, part{}); });
    }

    /// An assignment that copies no lane that is not in use.
    void become(const view& other) noexcept {
        for_each_part([&](std::size_t i) { store(i, other.load(i)); });
    }

    void join(const view& other) noexcept {
        for_each_part([&](std::size_t i) { store(i, sum(load(i), other.beyond(i, *this))); });
    }

    /// Adds the next event of this thread.
    void add_one_of(std::size_t thread_id) noexcept {
        use(thread_id);
        for_each_part([&](std::size_t i) { store(i, sum(load(i), one_of(thread_id).load(i))); });
    }

    /// Whether it holds the event with this index of a thread, counted from 0.
    [[nodiscard]] bool contains(std::size_t thread_id, event_index index) const noexcept {
        return counts_[thread_id] > index;
    }
    template <class Event>
    [[nodiscard]] bool contains(const Event& which) const noexcept {
        return contains(which.thread_id, which.index);
    }

    [[nodiscard]] bool includes(const view& other) const noexcept {
        part missing{};
        for_each_part([&](std::size_t i) { missing = either(missing, other.beyond(i, *this)); });
        return none(missing);
    }
    /// Whether it includes `other`, the events of this thread aside.
    [[nodiscard]] bool includes_but_of(std::size_t thread_id, const view& other) const noexcept {
        part missing{};
        for_each_part([&](std::size_t i) {
            missing = either(missing, where_none(one_of(thread_id).load(i), other.beyond(i, *this)));
        });
        return none(missing);
    }

private:
    // Always a multiple of the lanes of a part.
    static void use(std::size_t thread_id) noexcept {
        if (thread_id >= lanes_in_use) [[unlikely]]
            lanes_in_use = thread_id / fewest_lanes * fewest_lanes + fewest_lanes;
    }

#if defined(__SSE2__)
    using part = __m128i;
    [[nodiscard]] part load(std::size_t i) const noexcept {
        return _mm_load_si128(reinterpret_cast<const part*>(counts_.data()) + i);
    }
    void store(std::size_t i, part value) noexcept {
        _mm_store_si128(reinterpret_cast<part*>(counts_.data()) + i, value);
    }
    [[nodiscard]] static part sum(part a, part b) noexcept { return _mm_add_epi32(a, b); }
    [[nodiscard]] static part either(part a, part b) noexcept { return _mm_or_si128(a, b); }
    // Counts are below 2^31, so that a signed comparison is right.
    [[nodiscard]] static part difference(part a, part b) noexcept {
        return _mm_and_si128(_mm_cmpgt_epi32(a, b), _mm_sub_epi32(a, b));
    }
    [[nodiscard]] static part where_none(part lanes, part of) noexcept {
        return _mm_and_si128(_mm_cmpeq_epi32(lanes, _mm_setzero_si128()), of);
    }
    [[nodiscard]] static bool none(part a) noexcept {
        return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) == 0xffff;
    }
#else
    using part = event_index;
    [[nodiscard]] part load(std::size_t i) const noexcept { return counts_[i]; }
    void store(std::size_t i, part value) noexcept { counts_[i] = value; }
    [[nodiscard]] static part sum(part a, part b) noexcept { return static_cast<part>(a + b); }
    [[nodiscard]] static part either(part a, part b) noexcept { return static_cast<part>(a | b); }
    [[nodiscard]] static part difference(part a, part b) noexcept { return static_cast<part>(std::max(a, b) - b); }
    [[nodiscard]] static part where_none(part lanes, part of) noexcept { return lanes == 0 ? of : part{0}; }
    [[nodiscard]] static bool none(part a) noexcept { return a == 0; }
#endif
    // The events of this view that `other` lacks.
    [[nodiscard]] part beyond(std::size_t i, const view& other) const noexcept {
        return difference(load(i), other.load(i));
    }
    template <class Do>
    static void for_each_part(Do what) noexcept {
        const std::size_t parts = lanes_in_use / (sizeof(part) / sizeof(event_index));
        // There are at least so many.
        constexpr std::size_t fewest_parts = fewest_lanes / (sizeof(part) / sizeof(event_index));
        for (std::size_t i = 0; i < fewest_parts; ++i) what(i);
        for (std::size_t i = fewest_parts; i < parts; ++i) what(i);
    }
    [[nodiscard]] static const view& one_of(std::size_t thread_id) noexcept;

    static constexpr std::size_t fewest_lanes = 8;
    static_assert(max_thread_ids % fewest_lanes == 0);
    inline static std::size_t lanes_in_use = fewest_lanes;

    alignas(16) std::array<event_index, max_thread_ids> counts_{};
};

/// For each thread, the view that holds its first event alone.
inline constexpr std::array<view, max_thread_ids> single_events = [] {
    std::array<view, max_thread_ids> result;
    for (std::size_t i = 0; i < max_thread_ids; ++i) result[i][i] = 1;
    return result;
}();

inline const view& view::one_of(std::size_t thread_id) noexcept { return single_events[thread_id]; }

}  // namespace ordeal::detail::graph
