// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/future_read_search.hpp"

#include <stdexcept>
#include <utility>

namespace ordeal::detail::graph {

void future_read_search::certify() {
    for (auto& [graph, patterns] : certifier_.take_certified()) {
        future_read_graph& made = graphs_.emplace_back(std::move(graph));
        for (const lb_sites& each : patterns) made.patterns.push_back(future_reads::named(each));
    }
}

void future_read_search::certify_if_many() {
    constexpr std::size_t promises_at_a_time = 256;
    if (runner_.interpreter().future_reads.promises() >= promises_at_a_time) certify();
}

void future_read_search::begin(std::vector<future_read_graph> graphs) {
    has_begun_ = true;
    for (future_read_graph& each : graphs) {
        if (!runner_.interpreter().thread_ids.adopt(each.graph)) throw std::runtime_error("graphs of another program");
        graphs_.push_back(std::move(each));
    }
}

bool future_read_search::emit_next(strategy& into) {
    if (!has_begun_) return false;
    certify();
    while (!graphs_.empty()) {
        const future_read_graph next = std::move(graphs_.back());
        graphs_.pop_back();
        if (!begun_.insert(hash_in_insertion_order(next.graph)).second) continue;
        patterns_ = next.patterns;
        into.emit(next.graph);
        return true;
    }
    return false;
}

// Reductions learn from executions of RC11 and are for those: none decides here. One execution may follow from several
// graphs with future reads, and counts once.
ending future_read_search::run(execution_graph& graph, strategy& strategy) {
    const bool first = graph.size() == graph.unrevisitable_prefix;
    run_end& end = runner_.interpreter().run_end;
    run_end::future_read_findings& found = end.of_future_read_graph;
    found = {};
    end.puts_off_violations = true;
    ending ended = runner_.run(graph, strategy);
    constexpr int most_changes = 4;
    for (int changes = 0; found.value_changed && changes < most_changes; ++changes) {
        found.value_changed = false;
        graph.known_consistent = false;
        ended = runner_.run(graph, strategy);
    }
    found.diverged |= found.value_changed;
    end.puts_off_violations = false;
    if (found.violated) ended = runner_.run(graph, strategy);
    if (first && found.diverged)
        runner_.interpreter().search_facts.lb_patterns.insert(patterns_.begin(), patterns_.end());
    const bool counts = ended == ending::complete || ended == ending::blocked;
    return counts && !executions_.insert(hash_without_order(graph)).second ? ending::abandoned : ended;
}

std::vector<future_read_graph> future_read_search::take_graphs() { return std::exchange(graphs_, {}); }

}  // namespace ordeal::detail::graph
