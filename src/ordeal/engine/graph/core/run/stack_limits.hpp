// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/run_end.hpp"

#include <array>
#include <cstdint>

namespace ordeal::detail::graph {

/// Whether the running thread has used up its stack.
class stack_limits {
public:
    stack_limits(const run_state& run, const fibers& fibers, run_end& run_end)
        : run_(run), fibers_(fibers), run_end_(run_end) {}

    /// Fails if this frame, which is outside what functions on trial may use, is on one of the engine's stacks. Stacks
    /// that the code on trial made itself are not checked.
    void require(std::uintptr_t frame, site_id site) {
        const memory_range all = fibers_.region();
        if (frame - all.address < all.size) run_end_.fail(violation_kind::crash, message_for_used_up(), site);
    }

    /// Whether a thread that overflows its stack gets to this address.
    [[nodiscard]] bool is_beyond(std::uintptr_t address) const noexcept { return fibers_.in_guard(address); }
    /// The message for an overflow by the running thread. Allocates nothing; valid until the next call.
    [[nodiscard]] const char* message_for_used_up() noexcept;

private:
    const run_state& run_;
    const fibers& fibers_;
    run_end& run_end_;
    std::array<char, 80> words_{};
};

}  // namespace ordeal::detail::graph
