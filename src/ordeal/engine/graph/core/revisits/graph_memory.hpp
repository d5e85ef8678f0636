// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/read_request.hpp"
#include "ordeal/engine/graph/core/progress/iteration_bounds.hpp"
#include "ordeal/engine/graph/core/reduction.hpp"
#include "ordeal/engine/graph/core/revisits/backward_revisits.hpp"
#include "ordeal/engine/graph/core/revisits/future_reads.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

/// Memory as an execution graph. What the running thread reads is answered from the graph; at its end events are added,
/// and their revisits go to the strategy. See docs/explanation/graph-engine.md.
class graph_memory : run_context {
public:
    graph_memory(const run_context& of, iteration_bounds& bounds, const reduction_list& reductions,
                 object_lifetimes& lifetimes, future_reads& future)
        : run_context(of),
          iteration_bounds_(bounds),
          reductions_(reductions),
          object_lifetimes_(lifetimes),
          future_reads_(future) {}

    void begin() noexcept {
        // Only such a graph grows from nothing, in one run.
        if (run_.strategy->samples()) run_.graph->index_from(indexed_from);
        future_reads_.begin();
    }

    // event_insertion.cpp: events of the graph, and new ones at its end

    /// Waits until the operation may be done. `needed`: what it waits for, if it may block.
    void await_operation(std::uintptr_t address, memory_access how, site_id site,
                         const enabling_condition* needed = nullptr);
    /// Waits until the operation may be done; returns its object.
    object& begin_operation(std::uintptr_t address, object_kind kind, memory_access how, site_id site);
    /// As begin_operation(), for an operation that is disabled while the co-maximal write blocks it.
    object& begin_blocking_operation(std::uintptr_t address, object_kind kind, const read_request& how, site_id site);
    /// A read that the thread has come to. Returns when it reads what does not block it.
    seen_value read_event(object& target, const read_request& how, site_id site);
    /// The write of a read-modify-write, after its read.
    void complete(object& target, const read_request& how, const seen_value& seen, site_id site);
    /// A write: all of it, or half of a read-modify-write that reads from `rf`.
    struct new_write {
        order using_order = order::relaxed;
        std::uint64_t value = 0;
        event_id rf = initial_write;
        bool rmw = false;
        bool blind = false;  ///< see write_data
        footprint bytes{};
    };
    void write_event(const object& target, const new_write& what, site_id site);

    [[nodiscard]] bool explores_spurious_failures() const noexcept { return options_.spurious != 0; }
    /// An operation could have failed spuriously, once more than is explored.
    void note_spurious_bound() noexcept { search_facts_.spurious_bound = true; }

    /// The event that comes next in this thread; a new one at the end of the graph.
    event_id next_event(thread_state& self, event_kind kind, site_id site);
    /// It accesses no memory: its views are those of its thread, which moves past it.
    void finish_without_access(thread_state& self, event_id id, site_id site);

    /// From the next run on.
    void judge_by(memory_model which) noexcept { run_.model = consistency(which); }
    /// Whether what was run of the graph, which a search made, is allowed by the memory model.
    [[nodiscard]] bool consistent_so_far() const;
    /// Whether the graph that was run is an execution: for one that was not made by a search.
    [[nodiscard]] bool is_execution() const;

    /// The size from which the graph of a random execution has an index. Tests set another.
    inline static std::size_t indexed_from = 256;
    /// Where a graph has one, memory models are checked in full up to this size.
    static constexpr std::size_t checked_up_to = 512;

private:
    void calculate_write_views(const thread_views& from, event_id id, event_id rf);
    void finish_event(thread_state& self, event_id id, site_id site);
    /// What a new read may do.
    struct rf_candidate {
        event_id rf;
        bool spurious;
        std::uint8_t variant = 0;
    };

    void calculate_read_views(const thread_views& from, event_id id);
    void describe_read(event_id id, const read_request& how, std::uint64_t value);
    seen_value read_once(object& target, const read_request& how, site_id site);
    [[nodiscard]] block_reason reason_to_block(const read_request& how, event_id read) const;
    void bind(event_id id, const object& target, site_id site);

    // forward_revisits.cpp: what new events do
    [[noreturn]] void leave_operation();
    [[nodiscard]] coherence_position coherence_bound_at(const event& which, const view& hb);
    void order_writes(const event& read);
    /// Returns false where the graph has become another, which has what the event does.
    bool visit_rfs(event_id id, const object& target, const read_request& how);
    void consider_rf(event_id id, std::size_t co, const object& target, const read_request& how);
    void consider_variants(event_id id, const read_request& how, std::uint64_t value);
    [[nodiscard]] bool wakes_by_itself(const read_request& how, std::uint64_t value) const noexcept;
    void consider_wake_up(event_id id, std::size_t co, const object& target, const read_request& how);
    [[nodiscard]] bool stays_consistent(event_id read, bool newest);
    [[nodiscard]] bool is_too_large_to_check() noexcept;
    [[nodiscard]] bool may_fail_once_more();
    void consider_failure(event_id id, bool newest, const read_request& how);
    void take_rf(event_id id, const rf_candidate& chosen) noexcept;
    void emit_other_variants(event_id id, const read_request& how, std::uint64_t value);
    void revisit_by_conflicting_rmw(event_id id, event_id rf, const object& target, const read_request& how);
    void revisit_by_tentative_write(event_id id, event_id rf, const read_request& how, std::uint64_t written);
    void revisit_by(event_id write);
    void note_lb_by_conflicting_rmw(event_id id, event_id write);
    void visit_cos(event_id id, event_id rf);

    iteration_bounds& iteration_bounds_;
    const reduction_list& reductions_;
    object_lifetimes& object_lifetimes_;
    future_reads& future_reads_;
    views_table& views_ = run_.views;
    std::vector<event_id> order_buffer_;
    std::span<const event_id> order_;  ///< scratch: coherence of one location
    std::vector<event_id> writes_of_part_;
    std::vector<rf_candidate> rf_candidates_;
    std::vector<coherence_position> co_candidates_;
    execution_graph alternative_;
    backward_revisits revisits_;
};

}  // namespace ordeal::detail::graph
