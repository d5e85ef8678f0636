// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/global_order.hpp"
#include "ordeal/engine/graph/consistency/happens_before.hpp"
#include "ordeal/engine/graph/consistency/rc11.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/memory_model.hpp"

#include <memory>

namespace ordeal::graph {

/// Tables that each use fills anew: kept for their memory alone, so a copy of what they belong to has its own. Made when
/// they are first used.
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

/// A memory model: which graphs are executions, and what happens before what in them. It knows graphs, not how a search
/// goes through them. What it allows is closed under taking the last event away, and lets a new event always take the
/// newest: a search relies on both.
class consistency {
public:
    explicit consistency(memory_model which) noexcept : which_(which), happens_before_(which != memory_model::rc11) {}

    [[nodiscard]] memory_model which() const noexcept { return which_; }

    /// Before a run of a graph, and for each event that it goes past.
    void begin() noexcept { some_seq_cst_ = false; }
    void note(const event& passed) noexcept { some_seq_cst_ |= passed.using_order == order::seq_cst; }

    /// What of that decides whether more is forbidden; and it is set back.
    [[nodiscard]] bool some_seq_cst() const noexcept { return some_seq_cst_; }
    void begin_with(bool some_seq_cst) noexcept { some_seq_cst_ = some_seq_cst; }

    [[nodiscard]] const graph::happens_before& happens_before() const noexcept { return happens_before_; }

    /// Whether a graph that keeps coherence and atomicity may be forbidden, with the event `added` beside those noted.
    [[nodiscard]] bool forbids_more() const noexcept { return which_ != memory_model::rc11 || some_seq_cst_; }
    [[nodiscard]] bool forbids_more(const event& added) const noexcept {
        return forbids_more() || added.using_order == order::seq_cst;
    }
    /// Whether it is allowed, which keeps coherence and atomicity. Events that have not been run are not looked at.
    [[nodiscard]] bool allows(const execution_graph& graph, const views_table& views);

private:
    memory_model which_;
    graph::happens_before happens_before_;
    bool some_seq_cst_ = false;
    scratch<rc11_check> rc11_;
    scratch<global_order> order_;
};

}  // namespace ordeal::graph
