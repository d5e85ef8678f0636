// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/operation_accounting.hpp"
#include "ordeal/engine/graph/core/execution/scheduling.hpp"
#include "ordeal/engine/graph/core/execution/thread_fingerprints.hpp"
#include "ordeal/engine/graph/core/findings/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/state/execution_options.hpp"
#include "ordeal/engine/graph/reductions/blocked/blocked_threads.hpp"
#include "ordeal/engine/graph/reductions/loops/loop_sites.hpp"
#include "ordeal/engine/graph/reductions/retries/retries.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace ordeal::graph {

/// Threads that come back to where they were without an effect, and loops that are not followed any further: both are
/// blocked, see thread_state.
class loops {
public:
    loops(const execution_options& options, execution_state& run, operation_accounting& accounting,
          scheduling& scheduling, recorder& recorder, thread_fingerprints& fingerprints, retries& retries,
          const blocked_threads& blocked, findings& findings)
        : options_(options),
          run_(run),
          operation_accounting_(accounting),
          scheduling_(scheduling),
          recorder_(recorder),
          thread_fingerprints_(fingerprints),
          retries_(retries),
          blocked_threads_(blocked),
          findings_(findings) {}

    void begin(const strategy& how) noexcept { strategy_ = &how; }

    /// Before an operation that may be the one that a loop comes back to; of no size: it reads nothing of what is there. What it is given may be nowhere but in registers
    /// that a call does not keep.
    void watch(const atomic_access& access, const caller_state& caller, std::uint64_t expected = 0,
               std::uint64_t desired = 0);
    /// The running thread has suspended, and goes on: what others do to memory in between is not what it has come back from.
    void note_suspended();
    void note_resumed();
    /// Whether a wait has ended without a notification, and begins again with the thread in the same state and nothing
    /// written in between: it may as well not have ended. Then this is the iteration since it began before.
    [[nodiscard]] std::optional<iteration> is_idle_wait(const caller_state& caller, std::uintptr_t condition,
                                                        site_id site, const wait_timeout& limit);
    /// The thread waits for a condition variable, idly.
    void block_on_idle_wait(const iteration& last, location condition, const wait_timeout& limit);

    /// A read was made, with this value.
    void note_read(event_id id, std::uint64_t value, site_id site);
    /// A thread that stands at a new read where it has found the same for long waits until nothing else can happen.
    void bound_iterations(std::uintptr_t address, site_id site);
    /// A thread takes a lock after it has failed to take another.
    void bound_lock_iterations();
    void yield(site_id site);
    void time_out(site_id site);

    [[nodiscard]] loop_sites& sites() noexcept { return sites_; }

private:
    [[nodiscard]] bool reads_the_same_again(site_id site);
    [[nodiscard]] bool is_loop_site(site_id site);
    [[nodiscard]] std::uint16_t first_loop_visit() const;
    [[nodiscard]] const thread_fingerprint* note_loop_visit(site_id site, const caller_state& caller,
                                                            std::span<const std::uint64_t> given);

    const execution_options& options_;
    execution_state& run_;
    operation_accounting& operation_accounting_;
    scheduling& scheduling_;
    recorder& recorder_;
    thread_fingerprints& thread_fingerprints_;
    retries& retries_;
    const blocked_threads& blocked_threads_;
    findings& findings_;
    const strategy* strategy_ = nullptr;
    loop_sites sites_;
};

}  // namespace ordeal::graph
