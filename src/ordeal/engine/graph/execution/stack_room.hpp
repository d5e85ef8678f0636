// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/run_end.hpp"

#include <array>
#include <cstdint>

namespace ordeal::graph {

/// Whether the running thread has used up its stack.
class stack_room {
public:
    stack_room(const execution_state& run, const fibers& stacks, run_end& end)
        : run_(run), stacks_(stacks), end_(end) {}

    /// Fails where this frame, which is beyond what functions on trial may use, is on a stack of the engine's. Code on trial
    /// may have stacks of its own making; how large they are is its own affair.
    void require(std::uintptr_t frame, site_id site) {
        const memory_range all = stacks_.region();
        if (frame - all.address < all.size) end_.fail(violation_kind::crash, words_for_used_up(), site);
    }

    /// Whether this address is where a thread comes that has used up its stack.
    [[nodiscard]] bool is_beyond(std::uintptr_t address) const noexcept { return stacks_.in_guard(address); }
    /// That the running thread has. Allocates nothing; valid until the next call.
    [[nodiscard]] const char* words_for_used_up() noexcept;

private:
    const execution_state& run_;
    const fibers& stacks_;
    run_end& end_;
    std::array<char, 80> words_{};
};

}  // namespace ordeal::graph
