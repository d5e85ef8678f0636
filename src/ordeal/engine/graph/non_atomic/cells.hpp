// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/fibers.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Non-atomic data of code over the policy: cells and frames.
class cells {
public:
    cells(execution_state& run, const fibers& fibers, operation_accounting& accounting, run_end& run_end,
          recorder& recorder, object_lifetimes& lifetimes, handovers& handovers)
        : run_(run),
          fibers_(fibers),
          operation_accounting_(accounting),
          run_end_(run_end),
          recorder_(recorder),
          object_lifetimes_(lifetimes),
          handovers_(handovers) {}

    void read(memory_range where, site_id site);
    void write(memory_range where, site_id site);

private:
    void require_harmless(std::uintptr_t address, bool writes);
    /// Whether a change at this address is seen when states are compared.
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;

    execution_state& run_;
    const fibers& fibers_;
    operation_accounting& operation_accounting_;
    run_end& run_end_;
    recorder& recorder_;
    object_lifetimes& object_lifetimes_;
    handovers& handovers_;
};

}  // namespace ordeal::detail::graph
