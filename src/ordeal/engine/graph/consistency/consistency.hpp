// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/atomics_order.hpp"
#include "ordeal/engine/graph/consistency/global_happens_before.hpp"
#include "ordeal/engine/graph/consistency/happens_before.hpp"
#include "ordeal/engine/graph/consistency/rc11.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/memory_model.hpp"

#include <memory>
#include <span>

namespace ordeal::detail::graph {

/// Buffers reused only for their memory, allocated on first use: a copy of their owner gets its own.
template <class Tables>
class scratch {
public:
    scratch() = default;
    scratch(const scratch& /*other*/) noexcept {}
    scratch& operator=(const scratch& /*other*/) noexcept { return *this; }
    ~scratch() = default;

    [[nodiscard]] Tables& tables() {
        if (!all_) all_ = std::make_unique<Tables>();
        return *all_;
    }

private:
    std::unique_ptr<Tables> all_;
};

/// A memory model: which graphs are consistent, and their happens-before. It knows nothing of the search. A search
/// relies on two properties: the model is prefix-closed (removing the last event keeps a graph consistent) and
/// extensible (a new event may always take the co-maximal write).
class consistency {
public:
    explicit consistency(memory_model which) noexcept : which_(which), happens_before_(!uses_memory_orders(which)) {}

    [[nodiscard]] memory_model which() const noexcept { return which_; }

    /// Before a run of a graph, and for each event that the run passes.
    void begin() noexcept { some_seq_cst_ = some_seq_cst_fence_ = false; }
    void note(const event& passed) noexcept {
        if (passed.using_order != order::seq_cst) return;
        some_seq_cst_ = true;
        some_seq_cst_fence_ |= passed.kind() == event_kind::fence;
    }

    /// Saves and restores what was noted. With a seq_cst event, a fence is assumed.
    [[nodiscard]] bool some_seq_cst() const noexcept { return some_seq_cst_; }
    void begin_with(bool some_seq_cst) noexcept { some_seq_cst_ = some_seq_cst_fence_ = some_seq_cst; }

    [[nodiscard]] const graph::happens_before& happens_before() const noexcept { return happens_before_; }

    /// Whether a graph that satisfies coherence and atomicity may still be inconsistent, given the noted events and
    /// `added`.
    [[nodiscard]] bool forbids_more() const noexcept { return !uses_memory_orders(which_) || some_seq_cst_; }
    [[nodiscard]] bool forbids_more(const event& added) const noexcept {
        return forbids_more() || added.using_order == order::seq_cst;
    }
    /// Whether a consistent graph stays so with `added`, the last event of its thread, if these are the writes after it
    /// in coherence: those after the write that it reads from, or those that it is inserted before. False: it may not.
    /// For a graph that is too large for allows().
    [[nodiscard]] bool surely_consistent(const execution_graph& graph, const event& added,
                                         std::span<const event_id> later) const noexcept;
    /// Whether the future reads of a graph, which was run, violate neither coherence nor an order of their threads.
    [[nodiscard]] bool allows_future_reads(const execution_graph& graph, const views_table& views) const;
    /// Whether a graph that satisfies coherence and atomicity is consistent. Ignores events that have not been run.
    [[nodiscard]] bool allows(const execution_graph& graph, const views_table& views);

private:
    memory_model which_;
    graph::happens_before happens_before_;
    bool some_seq_cst_ = false;
    bool some_seq_cst_fence_ = false;
    scratch<atomics_order_check> atomics_order_;
    scratch<rc11_check> rc11_;
    scratch<global_happens_before> order_;
};

}  // namespace ordeal::detail::graph
