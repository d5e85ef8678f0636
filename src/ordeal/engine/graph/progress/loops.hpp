// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/prologue.hpp"
#include "ordeal/engine/graph/execution/scheduling.hpp"
#include "ordeal/engine/graph/progress/dead_ends.hpp"
#include "ordeal/engine/graph/progress/loop_sites.hpp"
#include "ordeal/engine/graph/progress/retries.hpp"
#include "ordeal/engine/graph/progress/thread_snapshots.hpp"
#include "ordeal/engine/graph/state/most_iterations.hpp"
#include "ordeal/model/byte_memory.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace ordeal::graph {

/// Threads that come back to where they were without an effect, and loops that are not followed any further: both are
/// blocked, see thread_state.
class loops {
public:
    /// `sees_all`: what a thread reads of others is no part of the graph alone, since searches go on behind races.
    loops(execution_state& run, prologue& begins, scheduling& waits, recorder& steps, thread_snapshots& snapshots,
          retries& again, const dead_ends& behind, findings& met, bool sees_all)
        : run_(run),
          prologue_(begins),
          scheduling_(waits),
          recorder_(steps),
          snapshots_(snapshots),
          retries_(again),
          dead_ends_(behind),
          met_(met),
          sees_all_(sees_all) {}

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
    [[nodiscard]] std::optional<iteration> waits_idly(const caller_state& caller, std::uintptr_t condition,
                                                      site_id site, const wait_limit& limit);
    /// The thread waits for a condition variable, idly.
    void block_idly(const iteration& last, location condition, const wait_limit& limit);

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
    [[nodiscard]] std::uint16_t beginning_of_looks() const;
    [[nodiscard]] const snapshot* note_look(site_id site, const caller_state& caller,
                                            std::span<const std::uint64_t> given);

    execution_state& run_;
    prologue& prologue_;
    scheduling& scheduling_;
    recorder& recorder_;
    thread_snapshots& snapshots_;
    retries& retries_;
    const dead_ends& dead_ends_;
    findings& met_;
    bool sees_all_;
    const strategy* strategy_ = nullptr;
    loop_sites sites_;
};

}  // namespace ordeal::graph
