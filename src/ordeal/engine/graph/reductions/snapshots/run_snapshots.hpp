// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/interpreter/interpreter.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ordeal::graph {

/// Copies of runs along their ways: the stacks, the memory and the globals of the code on trial, and what the engine
/// knows. A graph that begins as a run did then goes on from the newest snapshot that it agrees with, and not from the
/// beginning.
///
/// What a run has done when it comes to the end of a graph depends on the graph alone: see execution_state::thread_due.
/// So the states of loops that are compared are the same as if it had begun at the beginning. Where a search goes on
/// behind accepted violations that is not so, and none is made once it compares such states.
///
/// A snapshot is of use as long as graphs wait that were found after it was made. They wait on a stack, so their number
/// says how long that is.
class run_snapshots {
public:
    explicit run_snapshots(interpreter& interpreter) : interpreter_(interpreter) {}
    ~run_snapshots() { drop(); }
    run_snapshots(const run_snapshots&) = delete;
    run_snapshots& operator=(const run_snapshots&) = delete;

    /// None is any good any more: something else has been run.
    void drop() noexcept;
    /// Something else has been run, and is on no way to any of them. Not of instrumented code, of whose bytes no
    /// snapshot has all.
    void leave_way() noexcept { here_ = nullptr; }

    /// All threads are suspended. `thread_id`: the one that asked for a snapshot; main_thread_id: none did. `waiting`:
    /// so many graphs wait.
    void keep(int thread_id, std::size_t waiting);
    /// Goes back to a point from which the graph can go on, and makes the run one of that graph. Returns false where
    /// there is none, and at times all the same: then the run, from its beginning, shows whether the code does the same
    /// again.
    [[nodiscard]] bool go_back(execution_graph& graph, std::size_t waiting, runtime& port);

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
        bool adds = false;        ///< it is about to add an event...
        event_kind kind{};        ///< ...of this kind
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
    unsigned learned_ = 0;    ///< loop_sites::learned() at the beginning of the run
    std::uint64_t runs_ = 0;  ///< that could have gone on from one
};

}  // namespace ordeal::graph
