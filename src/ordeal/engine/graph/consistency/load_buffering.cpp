// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/load_buffering.hpp"

#include "ordeal/runtime/order.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

namespace {

bool orders_later_writes(const event& read) {
    return read.read().acquires_always || is_never_delayed(read.read().form);
}

// Whether no order keeps `write`, which follows `read` in its thread, from being performed first: bob and rmw of IMM
// (Podkopaev, Lahav, Vafeiadis, POPL 2019), from a read to a write, and aob of Armv8. Dependencies are unknown: a
// dependent write counts as one that could be performed first. A compare-exchange may behave differently if the read
// reads from another write.
bool may_be_promised_before(const execution_graph& graph, event_id read, event_id write) {
    const event& first = graph[read];
    const event& second = graph[write];
    // Of the writes after R: those that are performed after it.
    const auto follows_read = [&](const event& each, event_id id) {
        return releases(each.using_order) || (each.is_rmw() && graph.before_in_thread(id) == read);
    };
    if (orders_later_writes(first) || follows_read(second, write)) return false;
    const auto is_own_rmw_that_follows = [&](event_id id) {
        return id != initial_write && id > read && graph[id].thread_id == first.thread_id && graph[id].is_rmw() &&
               follows_read(graph[id], id);
    };
    bool released = false;
    // The events of a thread are in the order of the graph.
    for (event_id id = read + 1; id < write; ++id) {
        const event& each = graph[id];
        if (each.thread_id != first.thread_id) continue;
        if (each.kind() == event_kind::fence && each.using_order != order::relaxed) return false;
        if (each.is_read() && acquires(each.using_order)) {
            if (is_own_rmw_that_follows(each.read().rf)) return false;  // aob
            // A release, then an acquire that is no plain load: bob of Armv8. Elsewhere the release alone does.
            if (released && graph.rmw_write_of(each) != initial_write) return false;
        }
        if (!each.is_write() || !releases(each.using_order)) continue;
        if (each.where == second.where) return false;
        released = true;
    }
    return true;
}

// Whether `write` is `earlier` or ends a chain of read-modify-writes that begins at it. `from`: no event before it
// does.
bool continues(const execution_graph& graph, event_id write, event_id earlier, event_id from) {
    while (write != earlier && write != initial_write && write >= from && graph[write].is_rmw()) {
        write = graph.rf_of_rmw(write);
    }
    return write == earlier;
}

// The pattern, for one write S.
class search_for_source {
public:
    search_for_source(const execution_graph& graph, const views_table& views, const view& porf, event_id source,
                      event_id from, const initial_values& initial)
        : graph_(graph),
          initial_(initial),
          porf_(porf),
          hb_(views[source].hb),
          views_(views),
          source_(source),
          from_(from) {}

    /// Those that only the letter of C++20 allows come last.
    void for_each(event_id only, const std::function<bool(const lb_pattern&)>& visit) const {
        const event& last = graph_[source_];
        if (last.write().of_waiters) return;  // waits and notifications have one order ([thread.condition]/3)
        if (last.bytes.is_mixed()) return;    // whose limit is `mixed-sizes`
        const std::vector<event>& all = graph_.events();
        std::vector<lb_pattern> only_by_letter;
        const event_id begin = only == initial_write ? from_ : only;
        const std::size_t end = only == initial_write ? all.size() : only + std::size_t{1};
        for (event_id read = begin; read < end; ++read) {
            const event& first = all[read];
            if (first.where != last.where || !first.is_read() || first.thread_id == last.thread_id) continue;
            if (!porf_.contains(first)) continue;
            const bool ordered = hb_.contains(first);
            if (ordered && orders_later_writes(first)) continue;
            std::optional<bool> for_certain;
            for (const event_id write : ways(read)) {
                if (!may_be_promised_before(graph_, read, write)) {
                    if (!ordered) only_by_letter.push_back({read, write, source_, true, false});
                    continue;
                }
                if (!for_certain) for_certain = ordered && is_ordered_for_certain(first);
                if (!*for_certain && !visit({read, write, source_, false, ordered})) return;
            }
        }
        for (const lb_pattern& each : only_by_letter) {
            if (!visit(each)) return;
        }
    }

private:
    // Those that come after R in every execution in which R follows S; none is before `from`.
    class ordered_events {
    public:
        ordered_events(event_id from, std::size_t size) : from_(from), all_(size - from) {}
        void add(event_id id) { all_[id - from_] = true; }
        [[nodiscard]] bool operator[](event_id id) const { return id >= from_ && all_[id - from_]; }

    private:
        event_id from_;
        std::vector<bool> all_;
    };

    [[nodiscard]] std::span<const event> events() const { return std::span(graph_.events()).subspan(from_); }

    // The writes of R's thread with a porf path to S, which may be after S in coherence.
    [[nodiscard]] std::vector<event_id> ways(event_id read) const {
        const event& first = graph_[read];
        const event_index known = porf_[first.thread_id];
        std::vector<event_id> result;
        for (event_id id = read; id < graph_.size(); ++id) {
            const event& each = graph_[id];
            if (each.thread_id != first.thread_id || each.index <= first.index) continue;
            if (each.index >= known) break;
            if (!each.is_write() || each.write().of_waiters) continue;
            if (each.where == first.where && is_behind_in_coherence(id)) continue;
            if (is_read_on_the_way(id)) result.push_back(id);
        }
        return result;
    }

    // Whether another thread reads from `write`, in the porf prefix of S.
    [[nodiscard]] bool is_read_on_the_way(event_id write) const {
        for (const event& each : events()) {
            if (each.reads_from(write) && each.thread_id != graph_[write].thread_id && porf_.contains(each)) {
                return true;
            }
        }
        return false;
    }

    // Whether S, the write of a read-modify-write, ends a chain of those that begins at `write`, or at one that it
    // follows. The chain is long where threads count, and is asked for often.
    [[nodiscard]] bool is_continued_by_source(event_id write) const {
        if (!graph_[source_].is_rmw()) return false;
        if (chain_.empty()) {
            chain_.resize(graph_.size() - from_);
            event_id each = graph_.rf_of_rmw(source_);
            while (each != initial_write && each >= from_) {
                chain_[each - from_] = true;
                if (!graph_[each].is_rmw()) break;
                each = graph_.rf_of_rmw(each);
            }
        }
        return chain_[write - from_];
    }

    // If R read from S, coherence would have S before `write`, of the same location. That is impossible if an event
    // that has seen `write` happens before S.
    [[nodiscard]] bool is_behind_in_coherence(event_id write) const {
        if (is_continued_by_source(write)) return true;
        for (const event& each : events()) {
            if (each.is_read() && each.where == graph_[write].where && hb_.contains(each) &&
                each.read().rf != initial_write && continues(graph_, each.read().rf, write, from_)) {
                return true;
            }
        }
        return false;
    }

    // Whether R happens before S in every execution in which R follows S. It need not if a read-modify-write of another
    // thread read from one that R's thread made since R: it would then come first, and read what that one read here. No
    // execution of RC11 has both.
    [[nodiscard]] bool is_ordered_for_certain(const event& first) const {
        ordered_events ordered(from_, graph_.size());
        for (bool more = true; more;) {
            more = false;
            for (event_id id = from_; id < graph_.size(); ++id) {
                if (ordered[id] || !views_[id].done || !views_[id].hb.contains(first) ||
                    !is_ordered(first, id, ordered))
                    continue;
                ordered.add(id);
                more = true;
            }
        }
        return ordered[source_];
    }

    [[nodiscard]] bool is_ordered(const event& first, event_id id, const ordered_events& ordered) const {
        const event& each = graph_[id];
        if (each.thread_id == first.thread_id) return each.index >= first.index;
        const event_id before = graph_.before_in_thread(id);
        if (before != initial_write && ordered[before]) return true;
        const bool begins = before == initial_write || each.kind() == event_kind::beginning;
        const event_id creation = begins ? creation_of(id) : initial_write;
        if (creation != initial_write && ordered[creation]) return true;
        if (each.is_read()) return acquires(each.using_order) && brings(first, each, ordered);
        if (each.kind() == event_kind::fence) {
            for (const event& earlier : events()) {
                const bool pending = earlier.kind() == event_kind::read && earlier.thread_id == each.thread_id &&
                                     earlier.index < each.index;
                if (pending && brings(first, earlier, ordered)) return true;
            }
            return false;
        }
        // A thread's first event, or one after a join.
        return begins ? creation == initial_write : !views_[before].hb.contains(first);
    }

    // Of the thread with this first event: several may have its id, one after the other. The initial write: it began
    // with all others.
    [[nodiscard]] event_id creation_of(event_id first_event) const {
        for (event_id id = first_event; id-- > 0;) {
            const event& each = graph_[id];
            if (each.kind() == event_kind::creation && each.creation().created == graph_[first_event].thread_id)
                return id;
        }
        return initial_write;
    }

    // Whether a read-modify-write that reads from `write`, which R's thread made since R, may come before R and what is
    // ordered after R: not if it acquires a semaphore, and would read 0 then, at which it waits.
    [[nodiscard]] bool may_come_before(const event& first, const event& reader, event_id write,
                                       const ordered_events& ordered) const {
        if (reader.read().form != read_form::acquire) return true;
        const auto is_since = [&](event_id id) {
            return ordered[id] || (graph_[id].thread_id == first.thread_id && graph_[id].index > first.index);
        };
        while (write != initial_write && is_since(write)) {
            if (!graph_[write].is_rmw()) return true;
            write = graph_.rf_of_rmw(write);
        }
        const auto value = write == initial_write ? initial_(reader.where) : std::optional(graph_[write].write().value);
        return !value || !waits_on(reader.read().form, *value, reader.thread_id);
    }

    // Whether the write that `read` reads from, or the release sequence that it continues, orders R before.
    [[nodiscard]] bool brings(const event& first, const event& read, const ordered_events& ordered) const {
        const event* reader = &read;
        for (event_id write = read.read().rf; write != initial_write;) {
            const event& from = graph_[write];
            const event_id half = from.is_rmw() ? graph_.before_in_thread(write) : initial_write;
            const bool precedes = from.thread_id == first.thread_id && from.is_rmw() &&
                                  graph_.rmw_write_of(*reader) != initial_write &&
                                  may_come_before(first, *reader, write, ordered);
            if (!precedes && ordered[write] && views_[write].message_view.contains(first)) return true;
            if (half == initial_write) return false;
            reader = &graph_[half];
            write = reader->read().rf;
        }
        return false;
    }

    const execution_graph& graph_;
    const initial_values& initial_;
    const view& porf_;
    const view& hb_;
    const views_table& views_;
    event_id source_;
    event_id from_;                    ///< the first event that is looked at
    mutable std::vector<bool> chain_;  ///< see is_continued_by_source(); empty: not known yet
};

}  // namespace

bool future_reads_are_allowed(const execution_graph& graph, const views_table& views) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto read = static_cast<event_id>(i);
        const event& future = graph[read];
        if (future.future_source() == initial_write) continue;
        const event_views& source = views[future.future_source()];
        if (source.hb.contains(future)) return false;  // it would read what happens after it
        for (const event& each : graph.events()) {
            if (!each.is_read() || each.is_future_read() || each.read().rf == initial_write ||
                !source.porf.contains(each))
                continue;
            const event& write = graph[each.read().rf];
            if (write.thread_id != future.thread_id || write.index <= future.index) continue;
            if (each.thread_id != write.thread_id && !may_be_promised_before(graph, read, each.read().rf)) return false;
        }
    }
    return true;
}

void for_each_lb_pattern(const execution_graph& graph, const views_table& views, const view& porf, event_id source,
                         event_id from, event_id only, const initial_values& initial,
                         const std::function<bool(const lb_pattern&)>& visit) {
    search_for_source(graph, views, porf, source, from, initial).for_each(only, visit);
}

}  // namespace ordeal::detail::graph
