// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Non-atomic data of code over the policy: cells and frames.
class cells : run_context {
public:
    cells(const run_context& of, object_lifetimes& lifetimes, used_orders& used_orders)
        : run_context(of), object_lifetimes_(lifetimes), used_orders_(used_orders) {}

    void read(memory_range where, site_id site);
    void write(memory_range where, site_id site);

private:
    void require_harmless(std::uintptr_t address, bool writes);
    /// Whether a change at this address is seen when states are compared.
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;

    object_lifetimes& object_lifetimes_;
    used_orders& used_orders_;
};

}  // namespace ordeal::detail::graph
