// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: those that the graph has, and new ones.

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/execution/locations.hpp"
#include "ordeal/engine/graph/core/findings/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ordeal::detail::graph {

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = run_.replayed();
    if (!whole && !run_end_.found()) return false;
    return coherent(*graph_, views_, whole) && run_.model.allows(*graph_, views_);
}

// The event that comes next in this thread; a new one at the end of the graph.
event_id graph_memory::next_event(thread_state& me, event_kind kind, site_id site) {
    if (!run_.at_end(me)) {
        const event_id id = me.path[me.next];
        if ((*graph_)[id].kind != kind) run_end_.diverge("another operation than before", site);
        return id;
    }
    const harness_scope harness;
    event fresh;
    fresh.index = me.next;
    fresh.thread_id = static_cast<std::uint8_t>(run_.thread_id);
    fresh.kind = kind;
    const event_id id = graph_->add(fresh);
    me.path.push_back(id);
    if (graph_->is_indexed()) [[unlikely]]
        views_.pack();
    views_.resize(graph_->size());
    views_[id].renew();
    return id;
}

void graph_memory::describe_read(const thread_views& from, event_id id) {
    run_.model.happens_before().describe_read(*graph_, views_, from, id);
}

void graph_memory::describe_write(const thread_views& from, event_id id, event_id rf) {
    run_.model.happens_before().describe_write(*graph_, views_, from, id, rf);
}

void graph_memory::finish_event(thread_state& me, event_id id, site_id site) {
    const event& made = (*graph_)[id];
    event_views& views = views_[id];
    run_.model.happens_before().go_past(*graph_, views_, me, id);
    run_.model.note(made);
    views.step = run_.step;
    views.site = site;
    views.done = true;
    ++me.next;
    ++run_.executed;
}

// Waits until the operation may be done.
void graph_memory::await_operation(std::uintptr_t address, memory_access how, site_id site,
                                   const needed_value* needed) {
    const bool reads = how != memory_access::write;
    if (reads && run_.single_threaded()) single_threaded_memory_.note_read();
    if (!run_.single_threaded()) {
        thread_state& me = run_.self();
        if (run_.at_end(me)) {
            if (reads) iteration_limits_.bound_iterations(address, site);
            if (needed != nullptr && options_.reductions.waiting && !strategy_->samples()) me.needed = *needed;
            const bool adds = scheduling_.await_schedule({address, how != memory_access::read});
            me.needed.reset();
            if (adds) scheduling_.look_at_clock();
        }
        if (!run_.at_end(me)) {
            scheduling_.await_turn();
            if (reads) scheduling_.await_rf(site);
        }
    }
    operation_accounting_.step(site);
}

// The same, and finds its object.
object& graph_memory::begin_operation(std::uintptr_t address, object_kind kind, memory_access how, site_id site) {
    await_operation(address, how, site);
    object& target = object_lifetimes_.touch(address, site, kind);
    return run_.on_main_thread() ? single_threaded_memory_.settled(target) : target;
}

// The same for a lock or the like: where it has to wait, it has no event until it can go on or nothing else can happen.
object& graph_memory::begin_blocking_operation(std::uintptr_t address, object_kind kind, const read_request& how,
                                               site_id site) {
    const object* const known = run_.objects.find(address);
    std::optional<needed_value> needed;
    const thread_state& me = run_.self();
    if (known != nullptr && known->alive) {
        needed = needed_value{known->name_of, known->initial, how.what, run_.redundant_wake_up_write(me)};
    }
    await_operation(address, memory_access::update, site, needed ? &*needed : nullptr);
    // Nothing else can happen: what it would do is to wait again.
    if (run_.at_end(me) && needed && needed->blocking_write != initial_write && strategy_->explores() &&
        run_.graph->co_latest(needed->where) == needed->blocking_write) {
        scheduling_.block(blocked::by_bound{});
    }
    // Whoever destroys a condition variable waits for those who leave it: that is no use that has to come before.
    const bool leaves = kind == object_kind::condition && how.what == read_request::form::wake_up;
    object& target = leaves ? object_lifetimes_.live(address, site) : object_lifetimes_.touch(address, site, kind);
    return run_.on_main_thread() ? single_threaded_memory_.settled(target) : target;
}

void graph_memory::bind(event_id id, const object& target, site_id site) {
    event& known = (*graph_)[id];
    if (known.where == no_location) known.where = target.name_of;
    if (known.where != target.name_of) run_end_.diverge("an operation on another object than before", site);
}

block_reason graph_memory::reason_to_block(const read_request& how, event_id read) const {
    if (how.limit != wait_timeout::kind::none) return blocked::by_timed_wait{};
    if (how.waits_for_newest()) return blocked::by_lock{read};
    return blocked::by_wait{read, run_.self().wait_began};
}

seen_value graph_memory::read_event(object& target, const read_request& how, site_id site) {
    if (run_.certifies_alone()) [[unlikely]] {
        if (const auto given = run_.certified->next_read(target.name_of)) single_threaded_memory_.give(target, *given);
        if (how.blocks_on(single_threaded_memory_.settled(target).initial)) run_end_.abandon();
    }
    if (run_.single_threaded()) {
        if (run_.on_main_thread() || !how.blocks_on(target.initial))
            return single_threaded_memory_.read(target, how, site);
        run_.leave_single_threaded();  // nobody can help it any more
        return read_event(begin_operation(target.where.address, target.kind, memory_access::update, site), how, site);
    }
    for (;;) {
        const seen_value seen = read_once(target, how, site);
        if (!how.blocks_on(seen.value) || seen.spurious) return seen;
        recorded_step blocks = recorder_.record("blocks", site, &target);
        if (target.kind == object_kind::atomic) blocks.saw(seen, target);
        // The graph of a random execution may have what the thread read when it could go on.
        const thread_state& me = run_.self();
        if (run_.at_end(me)) {
            const block_reason why = reason_to_block(how, seen.id);
            if (reductions_.abandon_blocked({why})) run_end_.abandon();
            scheduling_.block(why);
            scheduling_.await_schedule(me.next_operation);
        } else {
            scheduling_.await_rf(site);
        }
    }
}

seen_value graph_memory::read_once(object& target, const read_request& how, site_id site) {
    thread_state& me = run_.self();
    bool fresh = run_.at_end(me);
    const event_id id = next_event(me, event_kind::read, site);
    bind(id, target, site);
    views_[id].locked = how.may_write();
    (*graph_)[id].repeated = me.repeated.at(site, target.name_of).count >= iterations_explored;
    if (fresh) fresh = choose_rf(id, target, how);
    if (!fresh) {
        scheduling_.await_rf(site);  // it may be another one than before
        views_[id].locked = how.may_write();
    }
    event& read = (*graph_)[id];
    const bool is_certified = run_.certified != nullptr && run_.certified->is_of(id);
    const std::uint64_t value = is_certified ? run_.certified->value() : run_.value_of(read.rf, target);
    const bool wakes = how.may_end_by_itself();
    read.using_order = read.spurious && !wakes ? how.failure : how.order_on(value);
    read.acquires_always = how.acquires_always();
    read.may_block = how.may_block();
    read.form = how.what;
    read.added_bytes = how.added_bytes();
    read.result_unused = how.result_unused;
    read.wakes = wakes;
    read.shared = how.shares();
    if (read.spurious) ++(wakes ? me.wake_ups : me.spurious);
    if (me.wake_ups > most_wake_ups && strategy_->explores()) {
        findings_.wake_up_bound = true;
        run_end_.abandon();
    }
    describe_read(me, id);
    if (graph_->is_indexed()) [[unlikely]] {
        const harness_scope harness;
        graph_->complete_read(id);
    }
    finish_event(me, id, site);
    iteration_limits_.note_read(id, value, site);
    if (is_certified) [[unlikely]] {
        run_.run_alone();
        single_threaded_memory_.give(target, value);
    }
    return {value, id, read.rf, read.spurious, fresh, read.variant, target.began};
}

void graph_memory::write_event(const object& target, order using_order, std::uint64_t value, event_id rf, bool rmw,
                               site_id site) {
    thread_state& me = run_.self();
    const bool fresh = run_.at_end(me);
    const event_id id = next_event(me, event_kind::write, site);
    event& write = (*graph_)[id];
    if (!fresh && write.rmw != rmw) run_end_.diverge("another operation than before", site);
    if (!fresh && write.where != no_location && write.value != value) {
        // A pointer to such memory.
        const wide_value halves = is_wide(target.name_of) ? wide_value_of(value) : wide_value{value, 0};
        if (options_.instrumented &&
            (instrumented().is_unknown_memory(halves.first) || instrumented().is_unknown_memory(halves.second))) {
            run_end_.refuse_unknown_memory(site);
        }
        run_end_.diverge("another value than before", site);
    }
    bind(id, target, site);
    target.leave(value);
    write.value = value;
    write.using_order = using_order;
    write.rmw = rmw;
    write.of_waiters = target.kind == object_kind::condition;
    describe_write(me, id, rf);
    finish_event(me, id, site);
    // The last event of a graph that a revisit has made is the write that revisits.
    if (id + std::size_t{1} >= run_.given) note_buffered_loads(id);
    if (fresh) choose_co(id, rf);
}

void graph_memory::note_buffered_loads(event_id source) {
    if (run_.model.which() != memory_model::rc11 || run_.certified != nullptr) return;
    if (certifies_ && strategy_->replays()) return;
    const harness_scope harness;
    event_id from = 0;
    if (graph_->is_indexed()) [[unlikely]] {
        // The search takes time with the square of what it looks at, or more.
        if (const unsigned count = ++sources_[views_[source].site];
            count > most_sources_of_site && !std::has_single_bit(count))
            return;
        from = source - std::min(source, events_before_source);
    }
    const auto initial = [&](location where) -> std::optional<std::uint64_t> {
        const object* const of = run_.object_at(where);
        return of == nullptr ? std::nullopt : std::optional(of->initial);
    };
    for_each_buffered_load(*graph_, views_, source, from, initial, [&](const buffered_load& found) {
        const buffered_sites pattern{found.only_in_cpp20,
                                     {views_[found.read].site, views_[found.promised].site, views_[source].site}};
        if (!buffered_.contains(pattern)) note_promise(found, pattern);
        return certifies_;
    });
}

// Those that were asked before have their answer.
void graph_memory::note_promise(const buffered_load& found, const buffered_sites& pattern) {
    constexpr std::size_t most_promises = 1'000'000;
    promise made;
    made.sites = pattern;
    std::uint64_t hash = 0;
    if (!certifies_ || asked_.size() >= most_promises || !describe(found, made, hash)) {
        buffered_.insert(pattern);
        return tell_of(pattern);
    }
    if (!asked_.insert(hash).second) return;
    made.past.only_before(*graph_, found.read, views_[found.promised].porf, tables_);
    promises_.push_back(std::move(made));
}

namespace {

void add_other(promise& made, std::uint64_t value) {
    constexpr std::size_t most_others = 8;
    const bool known = value == made.read_value || value == made.source_value ||
                       std::ranges::find(made.others, value) != made.others.end();
    if (!known && made.others.size() < most_others) made.others.push_back(value);
}

}  // namespace

// All but the past, and a hash that tells promises apart. False: a run of the past cannot tell what the thread would
// do.
bool graph_memory::describe(const buffered_load& found, promise& made, std::uint64_t& hash) const {
    const event& read = (*graph_)[found.read];
    const event& write = (*graph_)[found.promised];
    const auto add = [&](std::uint64_t number) { hash = hash_of_number(number, hash); };
    const auto value_of = [&](const event& of) -> std::optional<std::uint64_t> {
        if (of.rf != initial_write) return (*graph_)[of.rf].value;
        const object* const target = run_.object_at(of.where);
        return target == nullptr ? std::nullopt : std::optional(target->initial);
    };
    const auto known = value_of(read);
    if (!known || read.spurious) return false;
    const view& porf = views_[found.promised].porf;
    made.way = way_to_write(read.where);
    for (std::size_t i = 0; i < graph_->size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = (*graph_)[id];
        if (!porf.contains(each.thread_id, each.index)) continue;
        if (each.thread_id != read.thread_id || each.index <= read.index) {
            // What the write depends on depends on an event of its thread after the read.
            if (each.thread_id != read.thread_id && views_[id].porf[read.thread_id] > read.index) return false;
            add(each.thread_id | std::uint64_t{each.index} << 8 | static_cast<std::uint64_t>(each.kind) << 32 |
                std::uint64_t{each.variant} << 40 | (each.spurious ? std::uint64_t{1} << 48 : 0));
            add(each.where);
            add(each.kind != event_kind::read || each.rf == initial_write
                    ? each.value
                    : (*graph_)[each.rf].thread_id | std::uint64_t{(*graph_)[each.rf].index} << 8);
            add(each.co);
            continue;
        }
        // Another run would choose otherwise.
        if (each.spurious || each.variant != 0 || each.takes_freed_block()) return false;
        if (each.kind == event_kind::write) made.way.note_write(each.where, each.value);
        if (each.kind != event_kind::read) continue;
        const auto value = value_of(each);
        if (!value) return false;
        made.way.note_read(each.where, *value);
        const bool of_own = each.rf != initial_write && (*graph_)[each.rf].thread_id == read.thread_id &&
                            (*graph_)[each.rf].index > read.index;
        made.later_reads.push_back({each.where, of_own ? std::nullopt : value});
        add(of_own ? 1 : 2);
    }
    made.read_value = *known;
    made.source_value = (*graph_)[found.source].value;
    made.where = write.where;
    made.written = write.value;
    if (const object* const target = run_.object_at(read.where)) add_other(made, target->initial);
    for (const event& each : graph_->events()) {
        if (each.kind == event_kind::write && each.where == read.where) add_other(made, each.value);
    }
    add(made.way.hash());
    for (const std::uint64_t number : {made.read_value, made.source_value, made.where, made.written}) add(number);
    for (const std::uint64_t number : made.others) add(number);
    for (const site_id site : made.sites.sites) add(site);
    add(made.sites.only_in_cpp20 ? 1 : 0);
    return true;
}

void graph_memory::tell_of(const buffered_sites& pattern) {
    const auto text_of = [](site_id id) {
        const site& where = sites().at(id);
        return fmt::format("{} at {}:{}", where.operation, where.key.file, where.key.line);
    };
    const auto& [read, promised, source] = pattern.sites;
    findings_.buffered.insert({pattern.only_in_cpp20, text_of(read), text_of(promised), text_of(source)});
}

// The write of a read-modify-write, after its read.
void graph_memory::complete(object& target, const read_request& how, const seen_value& seen, site_id site) {
    const std::uint64_t value = how.written_on(seen.value, seen.variant);
    if (run_.single_threaded()) {
        single_threaded_memory_.write(target, value, site);
        return;
    }
    thread_state& me = run_.self();
    if (run_.at_end(me) && !seen.fresh) {
        emit_other_ways(seen.id, how, seen.value);
        me.halfway = true;
        scheduling_.await_schedule({target.where.address, true});
    }
    write_event(target, how.success, value, seen.rf, true, site);
}

}  // namespace ordeal::detail::graph
