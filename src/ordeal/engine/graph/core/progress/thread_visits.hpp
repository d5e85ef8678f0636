// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/progress/spinloop_sites.hpp"
#include "ordeal/engine/graph/core/reduction.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace ordeal::detail::graph {

/// Where the running thread has been since its last effect: its visits of operations that a loop may come back to, each
/// with a fingerprint of the thread's state. At each operation the reductions are asked whether the thread goes on.
class thread_visits : run_context {
public:
    thread_visits(const run_context& of, const reduction_list& reductions) : run_context(of), reductions_(reductions) {}

    /// Before an operation that a loop may come back to. An access of size 0 reads nothing of what is there. The
    /// operands may be nowhere but in registers that a call does not preserve.
    void watch(const atomic_access& access, const caller_state& caller, std::uint64_t expected = 0,
               std::uint64_t desired = 0);
    /// The running thread begins an iteration of a loop.
    void begin_iteration(const loop_header& header, const code_location& at);
    /// The running thread has suspended, and goes on: what others do to memory in between is not what it has come back
    /// from.
    void note_suspended();
    void note_resumed();

    [[nodiscard]] spinloop_sites& sites() noexcept { return sites_; }

private:
    [[nodiscard]] bool reads_the_same_again(site_id site);
    [[nodiscard]] bool is_loop_site(site_id site);
    void note_since();
    [[nodiscard]] const thread_fingerprint* note_visit(site_id site, const caller_state& caller,
                                                       std::span<const std::uint64_t> given);
    [[nodiscard]] bool is_behind_lock() const noexcept;
    [[nodiscard]] iteration_start make_start(const loop_header& header, const code_location& at,
                                             const iteration_start* previous);
    void push_start(const iteration_start& start);
    [[nodiscard]] const iteration_start* note_start(const loop_header& header, const code_location& at);
    [[nodiscard]] std::optional<std::uint64_t> known_memory() const;
    void note_pruned(const iteration_start& earlier);
    void decide_after_wait(const iteration_start& previous, const iteration_start& now);
    void decide(const iteration_start& earlier);
    void obey(reduction::action action, const blocking& blocking);

    const reduction_list& reductions_;
    spinloop_sites sites_;
};

}  // namespace ordeal::detail::graph
