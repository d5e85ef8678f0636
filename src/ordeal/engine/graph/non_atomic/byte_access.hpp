// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>

namespace ordeal::graph {

/// How bytes are accessed.
enum class byte_access : std::uint8_t { atomic_read, read, atomic_write, write, allocation };

[[nodiscard]] constexpr bool writes(byte_access how) noexcept { return how >= byte_access::atomic_write; }
/// A write that is not atomic: it conflicts with everything.
[[nodiscard]] constexpr bool writes_plainly(byte_access how) noexcept { return how >= byte_access::write; }

/// What an access met; several may be true. Bits of one word: there is one for each access.
struct byte_findings {
    bool raced : 1 = false;
    bool unwritten : 1 = false;  ///< a read of heap, and none of the bytes was ever written
    /// Some byte is in no allocated block, or is a local variable's of a thread that has ended.
    bool outside : 1 = false;
    bool on_object : 1 = false;  ///< some byte belongs to an atomic or a lock
    /// The life of what was in some byte has been ended by another thread, and nobody has written the byte since.
    bool ended : 1 = false;
    bool scopeless : 1 = false;  ///< some byte is a variable's whose scope has ended, whoever has ended it

    [[nodiscard]] bool any() const noexcept { return raced || unwritten || outside || on_object || scopeless; }
};

/// By whom, and when; an epoch is as in `object`.
struct timed_access {
    byte_access how = byte_access::read;
    std::uint8_t thread_id = 0;
    std::uint16_t epoch = 0;
};

[[nodiscard]] constexpr bool overlap(memory_range a, memory_range b) noexcept {
    return a.address < b.address + b.size && b.address < a.address + a.size;
}

}  // namespace ordeal::graph
