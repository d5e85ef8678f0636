// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/run_context.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Loops that change their state in each iteration, which no fingerprint recognises: their iterations are counted, and
/// followed up to a bound that the verdict names (exploration_bounds).
class iteration_bounds : run_context {
public:
    explicit iteration_bounds(const run_context& of) : run_context(of) {}

    /// A read was made, with this value.
    void note_read(event_id id, std::uint64_t value, site_id site);
    /// A thread that stands at a new read where it has found the same for long waits until nothing else can happen.
    void bound_iterations(std::uintptr_t address, site_id site);
    /// A thread takes a lock after it has failed to take another.
    void bound_lock_iterations();
    void yield(site_id site);
    void time_out(site_id site);
};

}  // namespace ordeal::detail::graph
