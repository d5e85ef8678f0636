// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Non-atomic data of code over the policy: cells and frames.
class cells : run_context {
public:
    cells(const run_context& of, object_lifetimes& lifetimes, handovers& handovers)
        : run_context(of), object_lifetimes_(lifetimes), handovers_(handovers) {}

    void read(memory_range where, site_id site);
    void write(memory_range where, site_id site);

private:
    void require_harmless(std::uintptr_t address, bool writes);
    /// Whether a change at this address is seen when states are compared.
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;

    object_lifetimes& object_lifetimes_;
    handovers& handovers_;
};

}  // namespace ordeal::detail::graph
