// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/state/thread_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ordeal::detail::graph {

/// A thread that could add an event, and which one.
struct runnable_thread {
    int id = 0;
    int creator = 0;               ///< the main thread: one of the scenario
    std::uint64_t operations = 0;  ///< that it has done
    pending_operation next{};
    unsigned predecessors = 0;  ///< threads that had its id
};

/// How a run decides where its graph ends and more than one event may follow.
class strategy {
public:
    strategy(const strategy&) = delete;
    strategy& operator=(const strategy&) = delete;
    virtual ~strategy() = default;

    /// Receives a graph that is still to be explored.
    virtual void emit(const execution_graph& revisit) = 0;
    /// Receives the graph of a run that is left before its end. Another run goes on as this one would have, and so
    /// nothing may be left out: without it a search that was cut short could seem to be complete.
    virtual void put_back(const execution_graph& left) { emit(left); }
    /// Whether nobody explores what is emitted from now on, because the time of the search is over or a stop was asked
    /// for. An operation with thousands of revisits need not make them all then: the run is left before that
    /// operation. Once true, it stays true. Must be called inside a harness_scope.
    [[nodiscard]] virtual bool is_over() { return false; }
    /// Called when all revisits of a new event were emitted. Returns whether the run continues with it.
    virtual bool go_on() { return true; }

    /// Whether every revisit of a new event is emitted for other runs: a systematic search. The run itself takes the
    /// first choice.
    [[nodiscard]] bool explores() const noexcept { return kind_ == kind::explores; }
    /// Whether the run follows choose() and choose_thread(), and resumes blocked threads where possible.
    [[nodiscard]] bool samples() const noexcept { return kind_ == kind::samples; }
    /// Whether emitted graphs wait on a stack until they are run; pending_graphs() is their number.
    [[nodiscard]] bool keeps_pending_graphs() const noexcept { return keeps_pending_graphs_; }
    [[nodiscard]] virtual std::size_t pending_graphs() const noexcept { return 0; }
    /// Whether the graph is only replayed.
    [[nodiscard]] bool replays() const noexcept { return kind_ == kind::replays; }

    /// Makes one of `count` choices. The first `usual` are what nearly always happens in practice: the newest
    /// write is read, a new write is the newest, nothing fails spuriously.
    virtual std::size_t choose(std::size_t /*usual*/, std::size_t /*count*/) { return 0; }
    /// Chooses one of the threads that could add an event; they are in the order of the search.
    virtual int choose_thread(std::span<const runnable_thread> threads) { return threads.front().id; }

protected:
    enum class kind : std::uint8_t { explores, samples, replays };
    explicit strategy(kind kind, bool keeps_pending_graphs = false) noexcept
        : kind_(kind), keeps_pending_graphs_(keeps_pending_graphs) {}

private:
    kind kind_;
    bool keeps_pending_graphs_;
};

/// Runs a graph as a search would, and drops what is emitted.
class silent_strategy : public strategy {
public:
    /// Whether the run goes on behind the end of its graph.
    enum class adds_events : bool { no, yes };

    explicit silent_strategy(adds_events whether) noexcept : strategy(kind::explores), adds_events_(whether) {}
    void emit(const execution_graph& /*revisit*/) final {}
    [[nodiscard]] bool go_on() final { return adds_events_ == adds_events::yes; }

private:
    adds_events adds_events_;
};

/// A question that takes time to answer, and to which the answer is once yes and then stays so: whether a search is
/// over. It is asked in every 64th call.
class rare_question {
public:
    template <class Ask>
    [[nodiscard]] bool operator()(Ask ask) {
        constexpr unsigned between = 64;
        if (!answer_ && ++asked_ % between == 0) answer_ = ask();
        return answer_;
    }
    void begin_again() noexcept { answer_ = false; }

private:
    unsigned asked_ = 0;
    bool answer_ = false;
};

/// Replays a graph. Events that it lacks are added as a search would first add them, without revisits.
class replay_strategy final : public strategy {
public:
    replay_strategy() noexcept : strategy(kind::replays) {}
    void emit(const execution_graph& /*revisit*/) override {}
};

}  // namespace ordeal::detail::graph
