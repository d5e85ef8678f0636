// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic objects that are accessed in parts.
//
// C++20 does not define what two atomics do that share bytes without being one: of a union one member is alive
// ([class.union]), and nothing refers to a part of an object to which an atomic_ref does ([atomics.ref.generic]).
// Processors define it (Flur et al., "Mixed-Size Concurrency: ARM, POWER, C/C++11, and SC", POPL 2017), and event
// counts, tagged pointers and locks of published libraries rely on that.
//
// Such an object is one location, the largest access to it, and all writes to it have one coherence order. A store to a
// part is the write of a read-modify-write, which leaves the rest as it is: its value is that of the whole. A load of a
// part reads from the latest write to the part that it may: coherence, reads-before and what synchronises go by bytes,
// as they do on processors. So a store to one half hands on nothing of a release store to the other, a store to a part
// continues no release sequence, and who reads both halves acquires from both.
//
// Each of these executions is one that processors may show. Some of theirs are missing, as a processor orders no two
// stores to different parts: threads that read the whole always agree on which came first, and see those of one thread
// in program order; and there is no load buffering. So what holds is *held within*, by the limit `mixed-sizes`.
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
