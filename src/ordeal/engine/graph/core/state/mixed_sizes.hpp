// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic objects that are accessed in parts.
//
// C++20 does not define what two atomics do that share bytes without being one: of a union one member is alive
// ([class.union]), and nothing refers to a part of an object to which an atomic_ref does ([atomics.ref.generic]).
// Processors define it (Flur et al., "Mixed-Size Concurrency: ARM, POWER, C/C++11, and SC", POPL 2017), and event
// counts, tagged pointers and locks of published libraries rely on that.
//
// Each access to such an object is one to the whole, the largest that is accessed: a load of a part reads the whole,
// and a store to a part is the write of a read-modify-write that leaves the rest as it is. So all writes to the object
// have one order, where processors order only those that share a byte. Each execution is one that processors may show,
// and some of theirs have none here: what holds is *held within*, by the limit `mixed-sizes`.
//
// What synchronises goes by bytes, as it does by fences and acquire loads on processors: an acquire synchronises with
// the latest write to each byte that it reads, and a store to a part continues no release sequence. So who reads one
// half acquires nothing of a store to the other, and who reads both acquires from both.
//
// A search learns of such an object at the first access of a second size. In the graphs until then it is two locations:
// the search begins again.
#pragma once

#include "ordeal/engine/graph/core/events/footprint.hpp"
#include "ordeal/engine/search_options.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// The object that an access is to, and which of its bytes it touches.
struct accessed_bytes {
    memory_range object;
    footprint bytes;
};

/// The objects of the code on trial that are known to be accessed in parts.
class mixed_sizes {
public:
    [[nodiscard]] accessed_bytes of(memory_range access) const noexcept {
        if (known_.empty()) [[likely]]
            return {access, {}};
        return find(access);
    }
    void learn(const mixed_ranges& more);
    [[nodiscard]] const mixed_ranges& known() const noexcept { return known_; }

    /// The bytes of both, if an atomic can have them; of size 0: none can.
    [[nodiscard]] static memory_range joined(memory_range a, memory_range b) noexcept;

private:
    [[nodiscard]] accessed_bytes find(memory_range access) const noexcept;

    mixed_ranges known_;
};

}  // namespace ordeal::detail::graph
