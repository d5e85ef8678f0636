// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ordeal::graph {

/// Receives graphs that are still to be explored.
class graph_sink {
public:
    graph_sink() = default;
    graph_sink(const graph_sink&) = delete;
    graph_sink& operator=(const graph_sink&) = delete;
    virtual ~graph_sink() = default;

    virtual void emit(const execution_graph& alternative) = 0;
    /// Called when all alternatives to a new event were emitted: whether the run goes on with it.
    virtual bool go_on() { return true; }
};

/// What a run does where its graph ends and more than one thing may happen.
class strategy : public graph_sink {
public:
    /// Whether every alternative to a new event is emitted, for other runs: a systematic search. The run itself takes the
    /// first of each.
    [[nodiscard]] bool explores() const noexcept { return how_ == kind::explores; }
    /// Whether the run takes what choose() and choose_thread() say, and goes on with blocked threads where they can.
    [[nodiscard]] bool samples() const noexcept { return how_ == kind::samples; }
    /// Whether graphs that are emitted wait on a stack until they are run; so many do now.
    [[nodiscard]] bool comes_back() const noexcept { return comes_back_; }
    [[nodiscard]] virtual std::size_t waiting() const noexcept { return 0; }
    /// Whether the graph is only shown again.
    [[nodiscard]] bool replays() const noexcept { return how_ == kind::replays; }

    /// One of so many ways to go on.
    virtual std::size_t choose(std::size_t /*count*/) { return 0; }
    /// One of the threads that could add an event, which come in the order of the search.
    virtual int choose_thread(std::span<const int> thread_ids) { return thread_ids.front(); }

protected:
    enum class kind : std::uint8_t { explores, samples, replays };
    explicit strategy(kind how, bool comes_back = false) noexcept : how_(how), comes_back_(comes_back) {}

private:
    kind how_;
    bool comes_back_;
};

/// Runs a graph again. What it does not have is added as a search would first add it, and has no alternatives.
class replay_strategy final : public strategy {
public:
    replay_strategy() noexcept : strategy(kind::replays) {}
    void emit(const execution_graph& /*alternative*/) override {}
};

}  // namespace ordeal::graph
