// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/load_buffering.hpp"
#include "ordeal/engine/graph/core/events/read_request.hpp"
#include "ordeal/engine/graph/core/progress/iteration_limits.hpp"
#include "ordeal/engine/graph/core/reduction.hpp"
#include "ordeal/engine/graph/core/revisits/backward_revisits.hpp"
#include "ordeal/engine/graph/core/state/certification.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// Memory as an execution graph. What the running thread reads is answered from the graph; at its end events are added,
/// and their revisits go to the strategy. See docs/explanation/graph-engine.md.
class graph_memory : run_context {
public:
    graph_memory(const run_context& of, iteration_limits& limits, const reduction_list& reductions,
                 object_lifetimes& lifetimes)
        : run_context(of), iteration_limits_(limits), reductions_(reductions), object_lifetimes_(lifetimes) {}

    void begin() noexcept {
        // Only such a graph grows from nothing, in one run.
        if (run_.strategy->samples()) run_.graph->index_from(indexed_from);
        sources_.clear();
    }

    // event_insertion.cpp: events of the graph, and new ones at its end

    /// Waits until the operation may be done. `needed`: what it waits for, if it may block.
    void await_operation(std::uintptr_t address, memory_access how, site_id site, const needed_value* needed = nullptr);
    /// The same, and finds its object.
    object& begin_operation(std::uintptr_t address, object_kind kind, memory_access how, site_id site);
    /// The same for one that waits where what is newest blocks it.
    object& begin_blocking_operation(std::uintptr_t address, object_kind kind, const read_request& how, site_id site);
    /// A read that the thread has come to. Returns when it reads what does not block it.
    seen_value read_event(object& target, const read_request& how, site_id site);
    /// The write of a read-modify-write, after its read.
    void complete(object& target, const read_request& how, const seen_value& seen, site_id site);
    void write_event(const object& target, order using_order, std::uint64_t value, event_id rf, bool rmw, site_id site);

    [[nodiscard]] bool explores_spurious_failures() const noexcept { return options_.spurious != 0; }
    /// An operation could have failed spuriously, once more than is explored.
    void note_spurious_bound() noexcept { findings_.spurious_bound = true; }

    // For events that access no memory: the one that comes next in this thread, its views, its end.
    event_id next_event(thread_state& self, event_kind kind, site_id site);
    void describe_write(const thread_views& from, event_id id, event_id rf);
    void finish_event(thread_state& self, event_id id, site_id site);

    // Load buffering
    /// Patterns are certified before the search tells of them; without it, it tells of the first at each write.
    /// `follow`: of those that are certified, graphs with late reads are made instead.
    void certify_promises(bool follow) noexcept {
        certifies_ = true;
        follows_ = follow;
    }
    /// What runs of a search have met since, each to be certified.
    [[nodiscard]] std::vector<promise> take_promises() noexcept { return std::exchange(promises_, {}); }
    /// Whether it was told of the pattern.
    [[nodiscard]] bool has_met(const buffered_sites& pattern) const { return buffered_.contains(pattern); }
    void note_met(const buffered_sites& pattern) { buffered_.insert(pattern); }
    /// The search tells of this pattern.
    void tell_of(const buffered_sites& pattern) { findings_.buffered.insert(named(pattern)); }
    [[nodiscard]] static buffered_load_sites named(const buffered_sites& pattern);
    [[nodiscard]] std::size_t promises() const noexcept { return promises_.size() + promise_revisits_.size(); }
    /// Graphs with late reads since, each of which is one if its promises are certified.
    [[nodiscard]] std::vector<promise_revisit> take_promise_revisits() noexcept {
        return std::exchange(promise_revisits_, {});
    }
    /// Before an acquire fence.
    void await_late_sources();

    /// From the next run on.
    void judge_by(memory_model which) noexcept { run_.model = consistency(which); }
    /// Whether what was run of the graph, which a search made, is allowed by the memory model.
    [[nodiscard]] bool allowed_so_far() const { return run_.graph->checked || run_.model.allows(*run_.graph, views_); }
    /// Whether the graph that was run is an execution: for one that was not made by a search.
    [[nodiscard]] bool is_execution() const;

    /// The size from which the graph of a random execution has an index. Tests set another.
    inline static std::size_t indexed_from = 256;
    /// Where a graph has one, load buffering is looked for at the first writes of each site, and then at every 2^n-th,
    /// among so many events before the write.
    static constexpr unsigned most_sources_of_site = 64;
    static constexpr event_id events_before_source = 128;
    /// Where a graph has one, memory models are checked in full up to this size.
    static constexpr std::size_t checked_up_to = 512;

private:
    /// What a new read may do.
    struct rf_candidate {
        event_id rf;
        bool spurious;
        std::uint8_t variant = 0;
    };

    void describe_read(const thread_views& from, event_id id);
    seen_value read_once(object& target, const read_request& how, site_id site);
    [[nodiscard]] block_reason reason_to_block(const read_request& how, event_id read) const;
    void bind(event_id id, const object& target, site_id site);

    // forward_revisits.cpp: what new events do
    [[noreturn]] void leave_operation();
    [[nodiscard]] coherence_position oldest_to_see(location where, const view& hb);
    /// Returns false where the graph has become another, which has what the event does.
    bool choose_rf(event_id id, const object& target, const read_request& how);
    void consider_rf(event_id id, std::size_t co, const object& target, const read_request& how);
    void consider_variants(event_id id, const read_request& how, std::uint64_t value);
    [[nodiscard]] bool wakes_by_itself(const read_request& how, std::uint64_t value) const noexcept;
    void consider_wake_up(event_id id, std::size_t co, const object& target, const read_request& how);
    [[nodiscard]] bool fits(event_id read, bool newest);
    [[nodiscard]] bool is_too_large_to_check() noexcept;
    [[nodiscard]] bool may_fail_once_more();
    void consider_failure(event_id id, bool newest, const read_request& how);
    void take_rf(event_id id, const rf_candidate& chosen) noexcept;
    void emit_other_ways(event_id id, const read_request& how, std::uint64_t value);
    void revisit_by_conflicting_rmw(event_id id, event_id rf, const object& target, const read_request& how);
    void revisit_by_conflicting_rmw(event_id id, event_id rf, const read_request& how, std::uint64_t written);
    void revisit_by(event_id write);
    void choose_co(event_id id, event_id rf);

    // late_reads.cpp: load buffering
    void note_buffered_loads(event_id source);
    std::optional<std::uint64_t> note_promise(const buffered_load& found, const buffered_sites& pattern, bool followed);
    void note_patterns(const view& porf);
    void make_late(const buffered_load& found, event_id displaced, const view& porf,
                   std::vector<execution_graph>& into);
    [[nodiscard]] bool is_read_late(event_id write) const;
    void change_value(event_id write, std::uint64_t value);
    [[nodiscard]] bool describe(const buffered_load& found, promise& made);
    [[nodiscard]] buffered_sites sites_of(const buffered_load& found) const;

    iteration_limits& iteration_limits_;
    const reduction_list& reductions_;
    object_lifetimes& object_lifetimes_;
    views_table& views_ = run_.views;
    std::vector<event_id> order_buffer_;
    std::span<const event_id> order_;  ///< scratch: coherence of one location
    std::vector<rf_candidate> rf_candidates_;
    std::vector<coherence_position> co_candidates_;
    execution_graph alternative_;
    backward_revisits revisits_;
    std::map<site_id, unsigned> sources_;  ///< in a graph with an index: the writes of each site
    std::set<buffered_sites> buffered_;    ///< what `findings_` has of it
    std::vector<buffered_load> patterns_;  ///< scratch: those of one write
    std::vector<promise> promises_;
    std::vector<promise_revisit> promise_revisits_;
    std::unordered_set<std::uint64_t> made_late_;  ///< graphs with late reads so far, by hash
    std::unordered_set<std::uint64_t> asked_;      ///< all so far, by hash
    bool certifies_ = false;
    bool follows_ = false;
    execution_graph::revisit_tables tables_;
};

}  // namespace ordeal::detail::graph
