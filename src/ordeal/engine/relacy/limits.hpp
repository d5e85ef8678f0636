// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/limit.hpp"

#include <vector>

namespace ordeal::detail::relacy {

/// Whether a search used something that Relacy models only in part. Conservative: a limit that could have mattered
/// counts as one that did.
struct limits {
    bool stale_reads = false;         ///< a load of an object with more than two values so far
    bool stale_failures = false;      ///< a compare-exchange that might have failed on an older value
    bool spurious_failures = false;   ///< a weak compare-exchange
    bool release_sequences = false;   ///< a store, no read-modify-write, that carries more than its own thread released
    bool modification_order = false;  ///< stores, no read-modify-writes, to one object by several threads
    bool yields = false;              ///< a thread yielded
    bool try_locks = false;           ///< a try_lock
    bool reuse = false;               ///< an allocation after a free of a block of its size
    bool sequentially_consistent_fences = false;  ///< a seq_cst fence
    bool sequential_consistency = false;          ///< seq_cst fences and seq_cst accesses together
    bool unfair_schedule = false;                 ///< a livelock during which a thread that could run did not

    /// The first applies to every search by Relacy.
    [[nodiscard]] std::vector<limit> named(bool random) const;
};

}  // namespace ordeal::detail::relacy
