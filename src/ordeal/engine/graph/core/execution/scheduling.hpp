// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/run_end.hpp"
#include "ordeal/engine/graph/core/execution/strategy.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ordeal::graph {

/// Where the running thread lets others run: until it may add an event, until what it reads is there, or because it adds
/// no more.
class scheduling {
public:
    scheduling(execution_state& run, fibers& fibers, run_end& run_end)
        : run_(run), fibers_(fibers), run_end_(run_end) {}

    void begin(strategy& how) noexcept {
        strategy_ = &how;
        added_ = 0;
    }

    /// Until the thread is the one that adds the next event. Returns false where the graph has more of the thread, or has
    /// now, as the run has gone back meanwhile: then until that is due.
    bool await_schedule();
    /// Until the next event of the thread, which the graph has, is due.
    void await_turn();
    /// Until the write that its next read reads from has been run.
    void await_rf(site_id site);
    /// A systematic search never comes back: what the thread would do then belongs to other graphs.
    void block(const block_reason& why);

    /// Until the thread is chosen among those that could add an event; it adds none.
    void stand_aside() {
        run_.self().status = thread_status::frontier;
        fibers_.suspend();
    }

    /// The running thread is at an event of which there are alternatives: a run of one can begin here. Returns false when it
    /// does, and the graph has what becomes of the event. To be called inside a harness_scope.
    [[nodiscard]] bool take_snapshot();
    /// Whether that was called; the thread goes on when it is resumed.
    [[nodiscard]] bool snapshot_requested() noexcept { return std::exchange(snapshot_requested_, false); }

    /// A systematic run that is still adding events then leaves the rest of its graph to another one.
    void leave_at(std::chrono::steady_clock::time_point when) noexcept { leave_at_ = when; }
    void look_at_clock();

private:
    execution_state& run_;
    fibers& fibers_;
    run_end& run_end_;
    strategy* strategy_ = nullptr;
    std::chrono::steady_clock::time_point leave_at_ = std::chrono::steady_clock::time_point::max();
    bool snapshot_requested_ = false;
    std::uint64_t due_when_ = 0;  ///< execution_state::resumed when a thread's next event was last found to be due
    std::size_t due_behind_ = 0;  ///< ...and so many events had been run
    unsigned added_ = 0;          ///< operations that this run added to its graph
};

}  // namespace ordeal::graph
