// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// How bytes are accessed.
enum class byte_access : std::uint8_t { atomic_read, read, atomic_write, write, allocation };
inline constexpr unsigned byte_accesses = 5;

[[nodiscard]] constexpr bool writes(byte_access how) noexcept { return how >= byte_access::atomic_write; }
/// A non-atomic write: it conflicts with every access.
[[nodiscard]] constexpr bool writes_plainly(byte_access how) noexcept { return how >= byte_access::write; }

[[nodiscard]] constexpr access_kind kind_of(byte_access how) noexcept {
    return {writes(how), how == byte_access::atomic_read || how == byte_access::atomic_write};
}

/// What an access found; several may be true. Packed into one word, as there is one for each access.
struct byte_findings {
    bool raced : 1 = false;
    bool unwritten : 1 = false;  ///< a read of heap memory, none of whose bytes was ever written
    /// Some byte is in no allocated block, or in a local variable of a finished thread.
    bool outside : 1 = false;
    bool on_object : 1 = false;  ///< some byte belongs to an atomic or a lock
    /// Another thread ended the lifetime of the object at some byte, and the byte was not written since.
    bool ended : 1 = false;
    bool scopeless : 1 = false;  ///< some byte belongs to a variable whose scope has ended, in whatever thread

    [[nodiscard]] bool any() const noexcept { return raced || unwritten || outside || on_object || scopeless; }
};

/// An access with its thread and epoch; an epoch is as in `object`.
struct timed_access {
    byte_access how = byte_access::read;
    std::uint8_t thread_id = 0;
    event_index epoch = 0;
};

[[nodiscard]] constexpr bool overlap(memory_range a, memory_range b) noexcept {
    return a.address < b.address + b.size && b.address < a.address + a.size;
}

}  // namespace ordeal::detail::graph
