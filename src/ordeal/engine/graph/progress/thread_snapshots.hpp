// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/execution_state.hpp"
#include "ordeal/engine/graph/execution/fibers.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/caller_state.hpp"

#include <cstdint>

namespace ordeal::graph {

/// What the running thread goes on from, as numbers: when two are equal, the thread goes on alike. 64 bits each; states
/// that differ have the same number by chance only.
class thread_snapshots {
public:
    thread_snapshots(const execution_state& run, const fibers& stacks, bool instrumented)
        : run_(run), stacks_(stacks), instrumented_(instrumented) {}

    /// Its stack and registers, where points in time have moved on by as much as has passed.
    [[nodiscard]] std::uint64_t of_stack(const caller_state& caller) noexcept;
    /// What it may read, apart from its own stack. With a policy, what is shared is in the scenario object or on the heap.
    [[nodiscard]] std::uint64_t of_memory() const noexcept;
    /// For comparing states in which different times have passed.
    [[nodiscard]] thread_clock clock(const caller_state& caller) const noexcept;
    /// What made time pass turns out not to have been.
    void set_clock_back(const thread_clock& before) const {
        if (instrumented_) instrumented().set_clock(before);
    }

private:
    [[nodiscard]] bool keeps_time(const caller_state& caller) const noexcept;
    [[nodiscard]] bool has_a_stack(int thread) const noexcept;

    const execution_state& run_;
    const fibers& stacks_;
    bool instrumented_;
    std::uint64_t never_equal_ = 0;
};

}  // namespace ordeal::graph
