// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/fibers.hpp"
#include "ordeal/engine/graph/execution/object_lives.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Plain data of code over the policy: cells and frames.
class cells {
public:
    cells(execution_state& run, const fibers& stacks, prologue& begins, run_end& end, recorder& steps,
          object_lives& lives, handovers& handed)
        : run_(run), stacks_(stacks), prologue_(begins), end_(end), recorder_(steps), lives_(lives), handed_(handed) {}

    void read(memory_range where, site_id site);
    void write(memory_range where, site_id site);

private:
    void require_harmless(std::uintptr_t address, bool writes);
    /// Whether a change to this address is seen when states are compared.
    [[nodiscard]] bool compared(std::uintptr_t address) const noexcept;

    execution_state& run_;
    const fibers& stacks_;
    prologue& prologue_;
    run_end& end_;
    recorder& recorder_;
    object_lives& lives_;
    handovers& handed_;
};

}  // namespace ordeal::graph
