// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/revisits/future_reads.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/runtime/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ordeal::detail::graph {

namespace {

// Adds what the future reads in `events` depend on: the views of events leave it out, as it has not been run then.
view with_future_sources(const execution_graph& graph, const views_table& views, view events) {
    for (bool more = graph.future_reads; more;) {
        more = false;
        for (const event& each : graph.events()) {
            const event_id source = each.future_source();
            if (source == initial_write || !events.contains(each)) continue;
            if (events.includes(views[source].porf)) continue;
            events.join(views[source].porf);
            more = true;
        }
    }
    return events;
}

// Those of `events` that can be run without what `thread` does from `first` on.
view without_thread_from(const execution_graph& graph, const views_table& views, view events, int thread,
                         event_index first) {
    events[static_cast<std::size_t>(thread)] = std::min(events[static_cast<std::size_t>(thread)], first);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < graph.size(); ++i) {
            const event& each = graph[static_cast<event_id>(i)];
            if (!events.contains(each)) continue;
            const event_id source = each.future_source();
            const bool has_source = source == initial_write || events.contains(graph[source]);
            if (has_source && events.includes(views[i].porf)) continue;
            events[each.thread_id] = each.index;
            more = true;
        }
    }
    return events;
}

std::uint64_t hash_of_events_before(const execution_graph& graph, const view& prefix) {
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t number) { hash = hash_of_number(number, hash); };
    for (const event& each : graph.events()) {
        if (!prefix.contains(each)) continue;
        add(each.thread_id | std::uint64_t{each.index} << 8 | static_cast<std::uint64_t>(each.kind()) << 32 |
            std::uint64_t{each.variant()} << 40 | (each.is_spurious() ? std::uint64_t{1} << 48 : 0));
        add(each.where);
        add(!each.reads_event() ? each.value()
                                : graph[each.read().rf].thread_id | std::uint64_t{graph[each.read().rf].index} << 8);
        add(each.is_write() ? each.write().co : 0);
    }
    return hash;
}

// All but its prefix, whose hash is given.
std::uint64_t hash_of(const promise& made, std::uint64_t hash) {
    const auto add = [&](std::uint64_t number) { hash = hash_of_number(number, hash); };
    add(made.steps.hash());
    for (const std::uint64_t number : {made.read_value, made.seen_value, made.source_value, made.where, made.written})
        add(number);
    for (const promise::later_read& each : made.later_reads) add((each.value ? 1U : 0U) | (each.varied ? 2U : 0U));
    add(made.explored ? 1 : 0);
    for (const std::uint64_t number : made.others) add(number);
    for (const site_id site : made.sites.sites) add(site);
    add(made.sites.only_by_letter ? 1 : 0);
    return hash;
}

void add_other(promise& made, std::uint64_t value) {
    constexpr std::size_t most_others = 8;
    const bool known = value == made.seen_value || value == made.source_value ||
                       std::ranges::find(made.others, value) != made.others.end();
    if (!known && made.others.size() < most_others) made.others.push_back(value);
}

// If R is that of a read-modify-write, the read of another one that read from it in RC11: where R reads from a later
// write, that one comes first, and reads what R has read here. initial_write: there is none.
event_id preceding_rmw_of(const execution_graph& graph, const view& porf, event_id read) {
    const event_id half = graph.rmw_write_of(graph[read]);
    if (half == initial_write) return initial_write;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        if (!each.reads_from(half) || each.thread_id == graph[read].thread_id) continue;
        if (porf.contains(each) && graph.rmw_write_of(each) != initial_write) return static_cast<event_id>(i);
    }
    return initial_write;
}

// Whether each write that its thread has made since R, and that S depends on, is one of these patterns: R may be
// delayed past all of them.
bool all_are_promised(const execution_graph& graph, const view& porf, event_id read, event_id preceding_rmw,
                      std::span<const lb_pattern> patterns) {
    const event& future = graph[read];
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        if (i == preceding_rmw) continue;
        if (!each.reads_event() || each.thread_id == future.thread_id) continue;
        if (!porf.contains(each)) continue;
        const event& write = graph[each.read().rf];
        if (write.thread_id != future.thread_id || write.index <= future.index) continue;
        const auto is_of_it = [&](const lb_pattern& of) {
            return of.read == read && of.promised == each.read().rf && !of.only_by_letter;
        };
        if (std::ranges::none_of(patterns, is_of_it)) return false;
    }
    return true;
}

}  // namespace

void future_reads::note_lb_patterns(event_id source, event_id only) {
    if (!uses_memory_orders(run_.model.which()) || run_.certification != nullptr) return;
    if (mode_ != lb_mode::report && run_.strategy->replays()) return;
    const harness_scope harness;
    event_id from = 0;
    if (run_.graph->is_indexed()) [[unlikely]] {
        // The search takes time with the square of what it looks at, or more.
        if (const unsigned count = ++sources_[run_.views[source].site];
            count > most_sources_of_site && !std::has_single_bit(count))
            return;
        from = source - std::min(source, events_before_source);
    }
    find_patterns(source, from, only);
    // What follows from a future read had not been run when the writes that depend on it were. In its order the graph
    // is whole with its last event.
    if (!run_.is_first_run_of_future_read_graph() || !run_.in_order || source + std::size_t{1} != run_.given) return;
    for (event_id earlier = 0; earlier < source; ++earlier) {
        if (!(*run_.graph)[earlier].is_write()) continue;
        if (!run_.views[earlier].porf.includes(porf_of(earlier))) find_patterns(earlier, 0, only);
    }
}

// What the event depends on, sources of future reads included.
view future_reads::porf_of(event_id id) const {
    return with_future_sources(*run_.graph, run_.views, run_.views[id].porf);
}

std::optional<std::uint64_t> future_reads::initial_value(location where) const {
    const object* const of = run_.object_at(where);
    return of == nullptr ? std::nullopt : std::optional(of->initial);
}

std::optional<std::uint64_t> future_reads::value_read_by(const event& read) const {
    if (read.read().rf == initial_write) return initial_value(read.where);
    return (*run_.graph)[read.read().rf].write().value;
}

// Those that end in the write; `from`: among the events from there on.
void future_reads::find_patterns(event_id source, event_id from, event_id only) {
    const auto initial = [&](location where) { return initial_value(where); };
    const view porf = porf_of(source);
    patterns_.clear();
    for_each_lb_pattern(*run_.graph, run_.views, porf, source, from, only, initial, [&](const lb_pattern& found) {
        if (only != initial_write && found.only_by_letter) return true;  // reported of executions of RC11
        if (mode_ == lb_mode::explore) {
            patterns_.push_back(found);
            return true;
        }
        const lb_sites pattern = sites_of(found);
        if (!has_reported(pattern)) (void)note_promise(found, pattern, false);
        return mode_ != lb_mode::report;
    });
    if (mode_ == lb_mode::explore) make_promise_revisits(porf);
}

lb_sites future_reads::sites_of(const lb_pattern& found) const {
    return {found.only_by_letter,
            {run_.views[found.read].site, run_.views[found.promised].site, run_.views[found.source].site}};
}

// Those that were asked before have their answer. Nothing: nobody can tell.
std::optional<std::uint64_t> future_reads::note_promise(const lb_pattern& found, const lb_sites& pattern,
                                                        bool explored) {
    constexpr std::size_t most_promises = 1'000'000;
    promise made;
    made.sites = pattern;
    made.explored = explored;
    if (mode_ == lb_mode::report || asked_.size() >= most_promises || !describe(found, made)) {
        (void)report(pattern);
        return std::nullopt;
    }
    const std::uint64_t key = made.key;
    if (asked_.insert(key).second) promises_.push_back(std::move(made));
    return key;
}

// Of each read all patterns are asked for: it is delayed past all of its thread's writes on the way to S, or none.
void future_reads::make_promise_revisits(const view& porf) {
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        const event_id read = patterns_[i].read;
        if (stays_future_read(read, patterns_[i].source)) continue;
        const auto is_of_read = [&](const lb_pattern& each) { return each.read == read; };
        if (std::any_of(patterns_.begin(), patterns_.begin() + static_cast<std::ptrdiff_t>(i), is_of_read)) continue;
        promise_revisit revisit;
        // Where R happens before S by the read-modify-write that comes first then, it does not where R is a future
        // read.
        const event_id preceding_rmw = preceding_rmw_of(*run_.graph, porf, read);
        bool explored = all_are_promised(*run_.graph, porf, read, preceding_rmw, patterns_) &&
                        (!patterns_[i].ordered || preceding_rmw != initial_write);
        for (const lb_pattern& each : patterns_) {
            if (each.read != read) continue;
            const lb_sites pattern = sites_of(each);
            const auto key = note_promise(each, pattern, explored);
            explored &= key.has_value();
            if (key) revisit.promises.push_back({*key, pattern});
        }
        if (!explored) continue;
        add_future_read(patterns_[i], preceding_rmw, porf, revisit.graphs);
        if (!revisit.graphs.empty()) promise_revisits_.push_back(std::move(revisit));
    }
}

// A future read reads from something else in graphs of their own. But a read-modify-write whose read is one keeps
// others from reading what it has read, and what these write is in its own graphs alone.
bool future_reads::stays_future_read(event_id read, event_id source) const {
    const event& future = (*run_.graph)[read];
    return future.is_future_read() &&
           (future.future_source() == source || run_.graph->rmw_write_of(future) == initial_write);
}

// Whether R is a compare-exchange that succeeded, and fails where it reads from S. Nobody on the way to S may read what
// it has written.
bool future_reads::fails(const lb_pattern& found, event_id preceding_rmw, const view& porf) const {
    const event& read = (*run_.graph)[found.read];
    const event_id half = run_.graph->rmw_write_of(read);
    if (half == initial_write || read.read().form != read_form::compare_exchange) return false;
    for (event_id id = 0; id < run_.graph->size(); ++id) {
        const event& each = (*run_.graph)[id];
        if (id != preceding_rmw && each.reads_from(half) && porf.contains(each)) return false;
    }
    const auto expected = value_read_by(read);
    return expected && (*run_.graph)[found.source].write().value != *expected;
}

// In each position that S may have in coherence, if it has none.
void future_reads::add_future_read(const lb_pattern& found, event_id preceding_rmw, const view& porf,
                                   std::vector<execution_graph>& into) {
    const location where = (*run_.graph)[found.source].where;
    execution_graph made;
    const event_id seen = (*run_.graph)[found.read].read().rf;
    const event_id half =
        made.make_future_read(*run_.graph, found.read, found.source, porf, fails(found, preceding_rmw, porf), tables_);
    if (preceding_rmw != initial_write)
        made[tables_.renamed[preceding_rmw]].read().rf = seen == initial_write ? initial_write : tables_.renamed[seen];
    const event_id source = tables_.renamed[found.source];
    const auto add = [&](coherence_position co) {
        execution_graph placed = made;
        if (made[source].write().co == 0) placed.insert_in_co(source, co);
        if (half != initial_write) placed.insert_in_co(half, co + 1);
        // Many executions of RC11 have the same prefix.
        if (made_before_.insert(hash_in_insertion_order(placed)).second) into.push_back(std::move(placed));
    };
    if (const coherence_position co = made[source].write().co; co != 0) return add(co);
    // What R has happened before may be otherwise without it; the run finds out.
    const coherence_position bound =
        preceding_rmw != initial_write
            ? coherence_position{0}
            : std::max(made.coherence_bound(where, run_.views[found.source].hb),
                       made.coherence_bound(where, run_.views[found.read].hb_before_acquire));
    coherent_placings(made, source, made.rf_of_rmw(source), bound, co_candidates_);
    std::ranges::for_each(co_candidates_, add);
}

bool future_reads::has_future_read(event_id write) const {
    return run_.graph->future_reads &&
           std::ranges::any_of(run_.graph->events(), [&](const event& each) { return each.future_source() == write; });
}

// The value depends on a future read, or on what comes before it. A promise may not: what others have read has to stay.
void future_reads::change_value(event_id write, std::uint64_t value) {
    const event& made = (*run_.graph)[write];
    const auto reads_it = [&](const event& each) { return each.reads_from(write) && each.thread_id != made.thread_id; };
    const auto comes_before = [&](const event& each) {
        return each.is_future_read() && each.thread_id == made.thread_id && each.index < made.index;
    };
    if (std::ranges::any_of(run_.graph->events(), reads_it) && std::ranges::any_of(run_.graph->events(), comes_before))
        run_end_.abandon();
    (*run_.graph)[write].write().value = value;
    if (!has_future_read(write)) return;
    run_end_.of_future_read_graph.value_changed = true;
    run_end_.abandon();
}

// Of R and what its thread has read before: the first one that depends on what the thread does later. From there on the
// thread is given what it reads.
event_id future_reads::first_given_read(event_id read) const {
    for (event_id id = 0; run_.graph->future_reads && id < read; ++id) {
        const event& each = (*run_.graph)[id];
        if (each.thread_id != (*run_.graph)[read].thread_id || !each.is_read()) continue;
        if (each.is_future_read() || porf_of(id)[each.thread_id] > each.index + 1) return id;
    }
    return read;
}

// What the thread does after `first`, up to W. False: another run would choose otherwise, or no event says what the
// thread has waited for.
bool future_reads::describe_steps(const lb_pattern& found, event_id first, promise& made) const {
    const event& begin = (*run_.graph)[first];
    const event& write = (*run_.graph)[found.promised];
    for (event_id id = first + 1; id <= found.promised; ++id) {
        const event& each = (*run_.graph)[id];
        if (each.thread_id != begin.thread_id) continue;
        const bool may_wait = each.kind() == event_kind::arrival;
        if (each.is_spurious() || each.variant() != 0 || each.takes_freed_block() || may_wait) return false;
        if (each.is_write()) {
            made.steps.note_write(each.where, each.write().value, each.is_rmw());
            const bool same = each.where == write.where && each.write().value == write.write().value;
            made.same_before += same && id != found.promised ? 1 : 0;
        }
        if (!each.is_read()) continue;
        const auto value = value_read_by(each);
        if (!value) return false;
        made.steps.note_read(each.where, *value, id != found.read && acquires(each.using_order));
        const event_id from = each.read().rf;
        const bool of_own = from != initial_write && from > first && (*run_.graph)[from].thread_id == begin.thread_id;
        made.later_reads.push_back({each.where, of_own ? std::nullopt : value, id == found.read});
    }
    return true;
}

// All of the promise. False: a run of the prefix cannot tell what the thread would do.
bool future_reads::describe(const lb_pattern& found, promise& made) {
    const event& read = (*run_.graph)[found.read];
    const event& write = (*run_.graph)[found.promised];
    const event_id first = first_given_read(found.read);
    const event& begin = (*run_.graph)[first];
    const auto known = value_read_by(begin);
    const auto seen = value_read_by(read);
    if (!known || !seen || read.is_spurious() || begin.is_spurious()) return false;
    // What others do that depends on the thread's later events is not run: the thread is given what it has read of it.
    const view prefix =
        without_thread_from(*run_.graph, run_.views, porf_of(found.promised), begin.thread_id, begin.index);
    if (prefix[begin.thread_id] < begin.index || !describe_steps(found, first, made)) return false;
    made.read_value = *known;
    made.seen_value = *seen;
    made.source_value = (*run_.graph)[found.source].write().value;
    made.where = write.where;
    made.written = write.write().value;
    if (const object* const target = run_.object_at(read.where)) add_other(made, target->initial);
    for (const event& each : run_.graph->events()) {
        if (each.is_write() && each.where == read.where) add_other(made, each.write().value);
    }
    made.key = hash_of(made, hash_of_events_before(*run_.graph, prefix));
    if (!asked_.contains(made.key)) made.prefix.restrict_before(*run_.graph, first, prefix, tables_);
    return true;
}

lb_site_names future_reads::named(const lb_sites& pattern) {
    const auto text_of = [](site_id id) {
        const site& where = sites().at(id);
        return fmt::format("{} at {}:{}", where.operation, where.key.file, where.key.line);
    };
    const auto& [read, promised, source] = pattern.sites;
    return {pattern.only_by_letter, text_of(read), text_of(promised), text_of(source)};
}

// A fence that acquires waits for what the future reads of its thread read from.
void future_reads::await_future_sources() {
    if (!run_.graph->future_reads) return;
    thread_state& me = run_.self();
    for (const event& each : run_.graph->events()) {
        const event_id source = each.future_source();
        if (source == initial_write || each.thread_id != run_.thread_id || each.index >= me.next) continue;
        scheduling_points_.await_write(source);
        me.acq.join(run_.views[source].message_view);
    }
}

}  // namespace ordeal::detail::graph
