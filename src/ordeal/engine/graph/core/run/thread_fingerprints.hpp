// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/state/caller_state.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

/// An atomic, and what it holds.
struct kept_atomic {
    memory_range where;
    std::array<unsigned char, 16> bytes;
};

/// Takes fingerprints of the running thread: hashes of 64 bits of its stack and registers, and of the memory that it
/// may read. Different states have equal ones only by chance.
class thread_fingerprints {
public:
    thread_fingerprints(const run_state& run, const fibers& fibers, bool instrumented)
        : run_(run), fibers_(fibers), instrumented_(instrumented) {}

    /// At this operation with these arguments. A caller on a stack that it made itself equals nothing: the extent of
    /// that stack is not known.
    [[nodiscard]] thread_fingerprint take(thread_fingerprint::extent how_much, site_id site, const caller_state& caller,
                                          std::span<const std::uint64_t> given) const noexcept {
        const thread_state& me = run_.self();
        thread_fingerprint result;
        result.where = site;
        result.event = me.next;
        result.done = me.done;
        if (how_much != thread_fingerprint::extent::none) add_state(result, how_much, caller, given);
        return result;
    }
    /// At the beginning of an iteration, where it is known what is live.
    [[nodiscard]] thread_fingerprint take(thread_fingerprint::extent how_much,
                                          const loop_header& header) const noexcept;
    /// A hash of what the running thread may read outside its own stack.
    [[nodiscard]] std::uint64_t memory() const noexcept;
    /// Undoes what advanced the clock.
    void set_clock_back(const virtual_clock& before) const {
        if (instrumented_) instrumented().set_clock(before);
    }

private:
    void add_state(thread_fingerprint& to, thread_fingerprint::extent how_much, const caller_state& caller,
                   std::span<const std::uint64_t> given) const noexcept;
    void add_memory(thread_fingerprint& to, thread_fingerprint::extent how_much) const noexcept;
    [[nodiscard]] std::uint64_t of_thread(const caller_state& caller,
                                          std::span<const std::uint64_t> given) const noexcept;
    [[nodiscard]] virtual_clock clock(const caller_state& caller) const noexcept;
    [[nodiscard]] bool keeps_time(const caller_state& caller) const noexcept;
    [[nodiscard]] bool keeps_time(const loop_header& header) const noexcept;
    [[nodiscard]] bool has_a_stack(int thread) const noexcept;
    [[nodiscard]] std::uint64_t freed() const noexcept;
    [[nodiscard]] memory_range frames_of_engine() const noexcept;
    [[nodiscard]] memory_range stack_of(int thread) const noexcept;

    const run_state& run_;
    const fibers& fibers_;
    bool instrumented_;
    mutable std::vector<kept_atomic> kept_;  // only to reuse its memory
};

}  // namespace ordeal::detail::graph
