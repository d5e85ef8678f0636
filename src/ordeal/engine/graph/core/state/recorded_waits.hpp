// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// A notification of an atomic.
struct notification {
    location where;
    std::uintptr_t address;
    site_id site;  ///< no_site: by the address alone, which may be reused
    bool all;
    std::uint8_t thread_id;  ///< of the notifying thread
    event_index index;       ///< of that thread's next event
    view hb;
    view porf;
    footprint bytes{};  ///< of an object of mixed_sizes; a size of 1 where only the address is known

    /// Whether a wait that read this is on the same atomic.
    [[nodiscard]] bool is_for(const event& read) const noexcept {
        return read.where == where && read.bytes.offset == bytes.offset &&
               (bytes.size == 1 || read.bytes.size == bytes.size);
    }
};

/// An atomic wait, identified by the last read that it made.
struct atomic_wait {
    event_id read;
    std::uint64_t old;
    view began;  ///< its porf prefix when it began
};

/// An arrival of a thread at a barrier or a latch.
struct arrival {
    location where;
    std::uintptr_t address;
    std::uint64_t count;  ///< how many arrivals it stands for
    std::uint32_t phase;
    std::uint8_t thread_id;
    bool departed = false;  ///< its thread has waited for the others of the phase
    event_index returned;   ///< an event of its thread with at least this index is after the call
    view hb;
    view porf;
};

/// What a thread waits for at a barrier or a latch.
struct awaited_arrivals {
    location where;
    std::uint32_t phase;
    std::uint64_t expected;
};

/// The events of a wait on a condition variable, from its first. Each operation but the unlock is a read and a write.
struct wait_events {
    static constexpr event_index enters = 0;
    static constexpr event_index unlocks = 2;
    static constexpr event_index wakes_up = 3;
    static constexpr event_index locks = 5;
    static constexpr event_index count = 7;
};

/// A wait on a condition variable, identified by the write that began it.
struct condition_wait {
    event_id write;
    std::uintptr_t mutex;
};

}  // namespace ordeal::detail::graph
