// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/happens_before.hpp"

namespace ordeal::graph {

namespace {

// Readers of a lock are ordered after writers, not after each other ([thread.sharedmutex.requirements]): what a reader
// acquires is the unlock of the last writer, a plain store below a chain of readers' read-modify-writes.
event_id last_writer_of_lock(const execution_graph& graph, event_id source) {
    while (source != initial_write && graph[source].exclusive) source = graph.source_of_exclusive(source);
    return source;
}

}  // namespace

void happens_before::describe_read(const execution_graph& graph, facts_table& all, const thread_views& from,
                                   event_id id) const {
    const event& read = graph[id];
    event_facts& facts = all[id];
    facts.before = from.happened;
    facts.happened = from.happened;
    facts.prefix = from.prefix;
    ++facts.happened[read.number];
    ++facts.prefix[read.number];
    if (read.source == initial_write) return;
    const event_facts& source = all[read.source];
    facts.prefix.join(source.prefix);
    if (!acquiring(read.using_order)) return;
    if (!read.shared) {
        facts.happened.join(source.release);
    } else if (const event_id writer = last_writer_of_lock(graph, read.source); writer != initial_write) {
        facts.happened.join(all[writer].release);
    }
}

void happens_before::describe_write(const execution_graph& graph, facts_table& all, const thread_views& from,
                                    event_id id, event_id source) const {
    const event& write = graph[id];
    event_facts& facts = all[id];
    facts.happened = from.happened;
    facts.prefix = from.prefix;
    ++facts.happened[write.number];
    ++facts.prefix[write.number];
    facts.release = releasing(write.using_order) ? facts.happened : from.released;
    // A read-modify-write continues the release sequence that it read from ([atomics.order]/2 by [intro.races]/5).
    if (write.exclusive && source != initial_write) facts.release.join(all[source].release);
}

void happens_before::go_past(const execution_graph& graph, const facts_table& facts, thread_views& me,
                             event_id id) const {
    const event& made = graph[id];
    if (made.kind == event_kind::read && made.source != initial_write && !acquiring(made.using_order)) {
        me.pending.join(facts[made.source].release);
    }
    me.happened = facts[id].happened;
    me.prefix = facts[id].prefix;
}

}  // namespace ordeal::graph
