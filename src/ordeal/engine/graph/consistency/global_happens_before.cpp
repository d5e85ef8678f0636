// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/global_happens_before.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool global_happens_before::exists(const execution_graph& graph, const views_table& views, drains rule) {
    threads_.clear();
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = graph[id];
        if (views[id].porf.contains(each)) threads_.add(each.thread_id, id);
    }
    if (after_.size() < graph.size()) after_.resize(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) after_[i].clear();
    before_.assign(graph.size(), 0);
    add_ppo(graph, views, rule);
    add_thread_order(graph, views);
    add_communications(graph);
    return acyclic();
}

void global_happens_before::add(event_id before, event_id after) {
    if (before == nothing || before == after) return;
    after_[before].push_back(after);
    ++before_[after];
}

void global_happens_before::add(const reached& before, event_id after) {
    add(before.issued, after);
    if (before.stored != before.issued) add(before.stored, after);
}

// Reads and stores form two chains in each thread: a store follows both, a read only reads; a draining event joins the
// chains.
void global_happens_before::add_ppo(const execution_graph& graph, const views_table& views, drains rule) {
    reached_.assign(graph.size(), {});
    for (const std::vector<event_id>& thread : threads_) {
        reached now;
        for (const event_id id : thread) {
            const event& each = graph[id];
            if (rule(each, views[id])) {
                add(now, id);
                now = {id, id};
            } else if (each.is_blind() && each.is_read()) {
                // It is issued with its store.
            } else if (each.is_read()) {
                add(now.issued, id);
                now.issued = id;
            } else if (each.is_write()) {
                add(now, id);
                now.stored = id;
            }
            reached_[id] = now;
        }
    }
}

// An event's dependencies in other threads reach memory before it: a store that the thread reads from, with everything
// that precedes that store in memory, or what precedes the creation or the end of a thread.
//
// In porf, a store to a part of an object follows the write before it in coherence, on which it does not depend. So
// with such objects, dependencies are happens-before and each reads-from of another thread.
void global_happens_before::add_thread_order(const execution_graph& graph, const views_table& views) {
    for (std::size_t thread_id = 0; thread_id < threads_.size(); ++thread_id) {
        for (const event_id id : threads_[thread_id]) {
            const event& each = graph[id];
            const bool reads_another = each.reads_event() && graph[each.rf()].thread_id != thread_id;
            if (graph.mixed_sizes && reads_another && !each.is_blind() && !each.is_future_read())
                add(reached_[each.rf()], id);
            for (std::size_t other = 0; other < threads_.size(); ++other) {
                std::size_t known = views[id].porf[other];
                // Happens-before has the end of a thread as one more event.
                if (graph.mixed_sizes) known = std::min<std::size_t>(views[id].hb[other], threads_[other].size());
                if (other == thread_id || known == 0) continue;
                add(reached_[threads_[other][known - 1]], id);
            }
        }
    }
}

// Coherence, and from-reads: a read precedes the write after the one that it reads from.
void global_happens_before::add_communications(const execution_graph& graph) {
    accesses_.clear();
    for (const std::vector<event_id>& thread : threads_) {
        for (const event_id id : thread) {
            const event& each = graph[id];
            if (!each.accesses_memory() || (each.is_blind() && each.is_read())) continue;
            const bool reads = each.is_read();
            const coherence_position co = reads ? graph.co_of(each.read().rf) : each.write().co;
            if (reads || co != 0) accesses_.push_back({each.where, co, reads, id});
        }
    }
    std::ranges::sort(accesses_);
    location where = no_location;
    event_id newest = nothing;  // write so far
    reads_.clear();             // that precede the next write to what they read
    for (const access& each : accesses_) {
        if (each.where != where) {
            where = each.where;
            newest = nothing;
            reads_.clear();
        }
        if (each.reads) {
            reads_.push_back(each.id);
            continue;
        }
        add(newest, each.id);
        newest = each.id;
        std::erase_if(reads_, [&](event_id read) {
            if (!graph[read].bytes.overlaps(graph[each.id].bytes)) return false;
            add(read, each.id);
            return true;
        });
    }
}

// Topological sort: removes events without predecessors.
bool global_happens_before::acyclic() {
    free_.clear();
    std::size_t left = 0;
    for (const std::vector<event_id>& thread : threads_) {
        left += thread.size();
        for (const event_id id : thread) {
            if (before_[id] == 0) free_.push_back(id);
        }
    }
    for (std::size_t i = 0; i < free_.size(); ++i) {
        --left;
        for (const event_id id : after_[free_[i]]) {
            if (--before_[id] == 0) free_.push_back(id);
        }
    }
    return left == 0;
}

}  // namespace ordeal::detail::graph
