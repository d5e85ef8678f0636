// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/interpreter/interpreter.hpp"

#include <cstddef>
#include <memory>

namespace ordeal::detail::graph {

/// Where runs can go on from, rather than from the beginning. Here there is no such place: every run begins at the
/// beginning.
class snapshots {
public:
    snapshots() = default;
    snapshots(const snapshots&) = delete;
    snapshots& operator=(const snapshots&) = delete;
    virtual ~snapshots() = default;

    /// All threads are suspended. `thread_id`: the one that asked for a snapshot; main_thread_id: none did. `waiting`:
    /// so many graphs wait.
    virtual void keep(int /*thread_id*/, std::size_t /*waiting*/) {}
    /// Goes back to a point from which the graph can go on, and makes the run one of that graph. Returns false if
    /// nothing was changed: the run begins at the beginning.
    [[nodiscard]] virtual bool resume(execution_graph& /*graph*/, std::size_t /*waiting*/, runtime& /*engine*/) {
        return false;
    }
    /// Discards all of them, because something else has been run.
    virtual void drop() noexcept {}
    /// Something else has been run, and is on no way to any of them. Not of instrumented code, of whose bytes no
    /// snapshot has all.
    virtual void detach() noexcept {}
};

/// all_reductions.cpp decides which.
[[nodiscard]] std::unique_ptr<snapshots> make_snapshots(interpreter& interpreter);

}  // namespace ordeal::detail::graph
