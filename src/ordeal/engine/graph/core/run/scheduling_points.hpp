// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/run/run_end.hpp"
#include "ordeal/engine/graph/core/run/strategy.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ordeal::detail::graph {

/// Where the running thread yields to others: until it may add an event, until the write that it reads from has run, or
/// because it adds no more events.
class scheduling_points {
public:
    scheduling_points(run_state& run, fibers& fibers, run_end& run_end)
        : run_(run), fibers_(fibers), run_end_(run_end) {}

    void begin() noexcept { added_ = 0; }

    /// Waits until the thread may add the next event. Returns false if the graph has an event of the thread, or has one
    /// now because the run was rewound; then waits until that event is due.
    bool await_schedule(const pending_operation& next = {});
    /// Waits until the thread's next event of the graph is due.
    void await_turn();
    /// Waits until the write that its next read reads from has run.
    void await_rf(site_id site);
    void await_write(event_id write);
    /// Waits until the threads that it joins have ended, or those that it meets have arrived.
    void await_join();
    /// In a systematic search it never returns: further events of the thread belong to other graphs.
    void block(const block_reason& why);

    /// Waits until the thread is chosen among those that could add an event; it adds none.
    void stand_aside() {
        run_.self().status = thread_status::frontier;
        fibers_.suspend();
    }

    /// The running thread is at an event with revisits, from which other runs can be resumed. Returns false when
    /// one is, and the graph has the event. Must be called inside a harness_scope.
    [[nodiscard]] bool take_snapshot();
    /// Whether take_snapshot() was called; the thread continues when it is resumed.
    [[nodiscard]] bool snapshot_requested() noexcept { return std::exchange(snapshot_requested_, false); }

    /// From then on a systematic run that still adds events leaves the rest of its graph to another run.
    void leave_at(std::chrono::steady_clock::time_point when) noexcept { leave_at_ = when; }
    void look_at_clock();

private:
    /// While a thread waits, others would come to a section that it is within.
    void leave_section() {
        if (run_.self().elided_lock != 0) [[unlikely]]
            run_end_.need_locks();
    }

    run_state& run_;
    fibers& fibers_;
    run_end& run_end_;
    std::chrono::steady_clock::time_point leave_at_ = std::chrono::steady_clock::time_point::max();
    bool snapshot_requested_ = false;
    std::uint64_t due_when_ = 0;  ///< run_state::resumed when a thread's next event was last found to be due
    std::size_t due_behind_ = 0;  ///< the number of events that had been run then
    unsigned added_ = 0;          ///< operations that this run added to its graph
};

}  // namespace ordeal::detail::graph
