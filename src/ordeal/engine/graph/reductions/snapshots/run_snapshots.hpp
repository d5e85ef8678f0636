// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Snapshots of runs.
//
// What is left out: running the beginning that a graph has in common with an earlier run once more. A snapshot is a
// copy of a run along its way: the stacks, the memory and the globals of the code on trial, and what the engine knows.
// A graph that begins as a run did goes on from the newest snapshot that it agrees with. The executions are the same.
//
// Why nothing is lost: what a run has done when it comes to the end of a graph depends on the graph alone
// (run_state::thread_due). So the states of loops that are compared are the same as if it had begun at the
// beginning. Where a search goes on behind accepted violations that is not so, and none is made once it compares such
// states. Code that does something else the next time is found by runs from the beginning, some of which are made all
// the same.
//
// A snapshot is of use as long as graphs wait that were found after it was made. They wait on a stack, so their number
// says how long that is.
//
// Source: ours.
#pragma once

#include "ordeal/engine/graph/core/runner/snapshots.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ordeal::detail::graph {

class run_snapshots final : public snapshots {
public:
    explicit run_snapshots(interpreter& interpreter) : interpreter_(interpreter) {}
    ~run_snapshots() override { shorten(0); }

    void keep(int thread_id, std::size_t waiting) override;
    /// Now and then it declines although it could resume: a run from the beginning shows whether the code does the same
    /// again.
    [[nodiscard]] bool resume(execution_graph& graph, std::size_t waiting, runtime& engine) override;
    void drop() noexcept override { shorten(0); }
    void detach() noexcept override { here_ = nullptr; }

private:
    struct thread_snapshot {
        thread_state state;
        unsigned users = 0;
    };
    struct run_snapshot {
        [[nodiscard]] std::size_t size() const noexcept {
            return bytes.size() + events.size() * sizeof(event) + views.size() * sizeof(event_views);
        }

        snapshot bytes;
        std::array<thread_snapshot*, max_thread_ids> threads{};
        run_snapshot* before = nullptr;  ///< the one that the run came from; null: none
        std::size_t index = 0;
        std::size_t count = 0;           ///< events that were run
        std::vector<event> events;       ///< those since the one before
        std::vector<event_views> views;  ///< of them
        byte_shadow::shadow_point* shadow = nullptr;
        std::size_t waiting = 0;  ///< graphs, when it was made
        int thread_id = 0;        ///< that asked
        bool adds = false;        ///< the thread is about to add an event, of `kind`
        event_kind kind{};
        std::uint64_t steps = 0;  ///< since the beginning of the run
    };

    [[nodiscard]] bool states_compare() const noexcept;
    [[nodiscard]] static bool fits(const run_snapshot& which, const execution_graph& graph) noexcept;
    void shorten(std::size_t count) noexcept;
    void restore_views(const run_snapshot& from);
    void save_threads(run_snapshot& to);
    void restore_threads(run_snapshot& from);
    void release(thread_snapshot*& which) noexcept;
    [[nodiscard]] thread_snapshot* fresh();

    interpreter& interpreter_;
    std::vector<std::unique_ptr<run_snapshot>>
        all_;  ///< oldest first; those from `count_` on are kept for their memory
    std::size_t count_ = 0;
    run_snapshot* here_ = nullptr;  ///< the newest that the run has come from
    std::vector<std::unique_ptr<thread_snapshot>> threads_;
    std::vector<thread_snapshot*> free_;
    std::array<thread_snapshot*, max_thread_ids> current_{};  ///< as the threads are now, unless they have changed
    memory_model model_{};
    std::uint64_t bytes_ = 0;  ///< of all snapshots
    std::uint64_t most_bytes_ = ~std::uint64_t{0};
    unsigned learned_ = 0;    ///< spinloop_sites::learned() at the beginning of the run
    std::uint64_t runs_ = 0;  ///< that could have gone on from one
};

}  // namespace ordeal::detail::graph
