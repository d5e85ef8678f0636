// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: those that the graph has, and new ones.

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/word.hpp"

namespace ordeal::detail::graph {

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = run_.replayed();
    if (!whole && !run_end_.found()) return false;
    return coherent(*run_.graph, views_, whole) && run_.model.allows(*run_.graph, views_);
}

event_id graph_memory::next_event(thread_state& me, event_kind kind, site_id site) {
    if (!run_.at_end(me)) {
        const event_id id = me.path[me.next];
        if ((*run_.graph)[id].kind() != kind) run_end_.diverge("another operation than before", site);
        return id;
    }
    const harness_scope harness;
    event fresh;
    fresh.index = me.next;
    fresh.thread_id = static_cast<std::uint8_t>(run_.thread_id);
    fresh.data = new_data(kind);
    const event_id id = run_.graph->add(fresh);
    me.path.push_back(id);
    if (run_.graph->is_indexed()) [[unlikely]]
        views_.pack();
    views_.resize(run_.graph->size());
    views_[id].renew();
    return id;
}

void graph_memory::calculate_read_views(const thread_views& from, event_id id) {
    run_.model.happens_before().calculate_read_views(*run_.graph, views_, from, id);
}

void graph_memory::calculate_write_views(const thread_views& from, event_id id, event_id rf) {
    run_.model.happens_before().calculate_write_views(*run_.graph, views_, from, id, rf);
}

void graph_memory::finish_event(thread_state& me, event_id id, site_id site) {
    const event& made = (*run_.graph)[id];
    event_views& views = views_[id];
    run_.model.happens_before().go_past(*run_.graph, views_, me, id);
    run_.model.note(made);
    views.step = run_.step;
    views.site = site;
    views.done = true;
    ++me.next;
    ++run_.executed;
}

void graph_memory::finish_without_access(thread_state& me, event_id id, site_id site) {
    calculate_write_views(me, id, initial_write);
    finish_event(me, id, site);
}

void graph_memory::await_operation(std::uintptr_t address, memory_access how, site_id site,
                                   const enabling_condition* needed) {
    const bool reads = how != memory_access::write;
    if (reads && run_.single_threaded()) single_threaded_memory_.note_read();
    if (!run_.single_threaded()) {
        thread_state& me = run_.self();
        if (run_.at_end(me)) {
            if (reads) iteration_bounds_.bound_iterations(address, site);
            if (needed != nullptr && options_.reductions.waiting && !run_.strategy->samples()) me.needed = *needed;
            const bool adds = scheduling_points_.await_schedule({address, how != memory_access::read});
            me.needed.reset();
            if (adds) scheduling_points_.look_at_clock();
        }
        if (!run_.at_end(me)) {
            scheduling_points_.await_turn();
            if (reads) scheduling_points_.await_rf(site);
        }
    }
    operation_accounting_.step(site);
}

object& graph_memory::begin_operation(std::uintptr_t address, object_kind kind, memory_access how, site_id site) {
    await_operation(address, how, site);
    object& target = object_lifetimes_.touch(address, site, kind);
    return run_.on_main_thread() ? single_threaded_memory_.settled(target) : target;
}

// A disabled thread has no event for its operation until it can go on, or nothing else can happen.
object& graph_memory::begin_blocking_operation(std::uintptr_t address, object_kind kind, const read_request& how,
                                               site_id site) {
    const object* const known = run_.objects.find(address);
    std::optional<enabling_condition> needed;
    const thread_state& me = run_.self();
    if (known != nullptr && known->alive) {
        needed = enabling_condition{known->name_of, known->initial, how.what, run_.redundant_wake_up_write(me)};
    }
    await_operation(address, memory_access::update, site, needed ? &*needed : nullptr);
    // Nothing else can happen: what it would do is to wait again.
    if (run_.at_end(me) && needed && needed->blocking_write != initial_write && run_.strategy->explores() &&
        run_.graph->co_max(needed->where) == needed->blocking_write) {
        scheduling_points_.block(blocked::by_pruning{});
    }
    // Whoever destroys a condition variable waits for those who leave it: that is no use that has to come before.
    const bool leaves = kind == object_kind::condition && how.what == read_request::form::wake_up;
    object& target = leaves ? object_lifetimes_.live(address, site) : object_lifetimes_.touch(address, site, kind);
    return run_.on_main_thread() ? single_threaded_memory_.settled(target) : target;
}

// Also asked where the code on trial was left in the middle of something.
bool graph_memory::consistent_so_far() const {
    const harness_scope harness;
    return run_.graph->known_consistent || run_.model.allows(*run_.graph, views_);
}

void graph_memory::bind(event_id id, const object& target, site_id site) {
    event& known = (*run_.graph)[id];
    if (known.where == no_location) known.where = target.name_of;
    if (known.where != target.name_of) run_end_.diverge("an operation on another object than before", site);
}

block_reason graph_memory::reason_to_block(const read_request& how, event_id read) const {
    if (how.limit != wait_timeout::kind::none) return blocked::by_timed_wait{};
    if (how.waits_for_co_max()) return blocked::by_lock{read};
    return blocked::by_wait{read, run_.self().wait_began};
}

seen_value graph_memory::read_event(object& target, const read_request& how, site_id site) {
    if (run_.runs_without_others()) [[unlikely]] {
        if (const auto given = run_.certification->next_read(target.name_of))
            single_threaded_memory_.give(target, *given);
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
        blocks.of_part({target.where.address + how.bytes.offset, how.bytes.size}, how.bytes);
        if (target.kind == object_kind::atomic) blocks.saw(seen, target);
        // The graph of a random execution may have what the thread read when it could go on.
        const thread_state& me = run_.self();
        if (run_.at_end(me)) {
            const block_reason why = reason_to_block(how, seen.id);
            if (reductions_.abandons_blocked({why})) run_end_.abandon();
            scheduling_points_.block(why);
            scheduling_points_.await_schedule(me.next_operation);
        } else {
            scheduling_points_.await_rf(site);
        }
    }
}

// What follows from the value that was read.
void graph_memory::describe_read(event_id id, const read_request& how, std::uint64_t value) {
    thread_state& me = run_.self();
    event& made = (*run_.graph)[id];
    read_data& read = made.read();
    const bool wakes = how.may_end_by_itself();
    made.using_order = read.spurious && !wakes ? how.failure : how.order_on(value);
    read.acquires_always = how.acquires_always();
    read.added_bytes = how.added_bytes();
    read.result_unused = how.result_unused;
    read.wakes = wakes;
    // What acquires, or waits, is not delayed past a later write.
    if (read.future && (acquires(made.using_order) || how.blocks_on(value))) run_end_.abandon();
    if (read.spurious) ++(wakes ? me.wake_ups : me.spurious);
    if (me.wake_ups > most_wake_ups && run_.strategy->explores()) {
        search_facts_.wake_up_bound = true;
        run_end_.abandon();
    }
}

seen_value graph_memory::read_once(object& target, const read_request& how, site_id site) {
    thread_state& me = run_.self();
    bool fresh = run_.at_end(me);
    const event_id id = next_event(me, event_kind::read, site);
    bind(id, target, site);
    views_[id].may_be_rmw = how.may_be_rmw();
    views_[id].site = site;
    (*run_.graph)[id].bytes = how.bytes;
    (*run_.graph)[id].read().form = how.what;
    (*run_.graph)[id].read().repeated = me.repeated.at(site, target.name_of).count >= iterations_explored;
    if (fresh) fresh = visit_rfs(id, target, how);
    if (!fresh) {
        scheduling_points_.await_rf(site);  // it may be another one than before
        views_[id].may_be_rmw = how.may_be_rmw();
    }
    const bool is_varied = run_.certification != nullptr && run_.certification->is_of(id);
    const event& made = (*run_.graph)[id];
    const read_data& read = made.read();
    const std::uint64_t value = is_varied ? run_.certification->value() : run_.value_of(read.rf, target);
    describe_read(id, how, value);
    calculate_read_views(me, id);
    // What it acquires with one part may know of a later write to another.
    if (made.bytes.is_mixed() && !read.future &&
        run_.graph->co_of(read.rf) < run_.graph->coherence_bound(made.where, views_[id].hb, made.bytes)) {
        run_end_.abandon();
    }
    if (run_.graph->is_indexed()) [[unlikely]] {
        const harness_scope harness;
        run_.graph->complete_read(id);
    }
    finish_event(me, id, site);
    iteration_bounds_.note_read(id, value, site);
    if (is_varied) [[unlikely]] {
        run_.run_without_others();
        single_threaded_memory_.give(target, value);
    }
    return {value, id, read.rf, read.spurious, fresh, read.variant, target.began};
}

void graph_memory::write_event(const object& target, const new_write& what, site_id site) {
    const std::uint64_t value = what.value;
    thread_state& me = run_.self();
    const bool fresh = run_.at_end(me);
    const event_id id = next_event(me, event_kind::write, site);
    event& made = (*run_.graph)[id];
    write_data& write = made.write();
    if (!fresh && write.rmw != what.rmw) run_end_.diverge("another operation than before", site);
    // A graph that was parsed from text knows no values but those of future reads. Bytes beside a part need not be
    // atomic, so the part alone is compared.
    const bool changes = !fresh && what.bytes.of(write.value) != what.bytes.of(value) &&
                         (made.where != no_location || future_reads_.has_future_read(id));
    if (changes && run_.is_first_run_of_future_read_graph() && run_.strategy->explores()) {
        future_reads_.change_value(id, value);
    } else if (changes) {
        // A pointer to such memory.
        const wide_value halves = is_wide(target.name_of) ? wide_value_of(value) : wide_value{value, 0};
        if (options_.instrumented &&
            (instrumented().is_unknown_memory(halves.first) || instrumented().is_unknown_memory(halves.second))) {
            run_end_.refuse_unknown_memory(site);
        }
        run_end_.diverge("another value than before", site);
    }
    bind(id, target, site);
    target.leave(value, what.bytes);
    write.value = value;
    made.using_order = what.using_order;
    made.bytes = what.bytes;
    write.rmw = what.rmw;
    write.blind = what.blind;
    write.of_waiters = target.kind == object_kind::condition;
    calculate_write_views(me, id, what.rf);
    finish_event(me, id, site);
    // The last event of a graph that a revisit has made is the write that revisits.
    if (id + std::size_t{1} >= run_.given) future_reads_.note_lb_patterns(id);
    if (fresh) visit_cos(id, what.rf);
}

void graph_memory::complete(object& target, const read_request& how, const seen_value& seen, site_id site) {
    const std::uint64_t value = how.written_on(seen.value, seen.variant);
    if (run_.single_threaded()) {
        single_threaded_memory_.write(target, value, site, true, how.bytes);
        return;
    }
    thread_state& me = run_.self();
    if (run_.at_end(me) && !seen.fresh) {
        emit_other_variants(seen.id, how, seen.value);
        me.halfway = true;
        scheduling_points_.await_schedule({target.where.address, true});
    }
    write_event(target,
                {.using_order = how.success,
                 .value = value,
                 .rf = seen.rf,
                 .rmw = true,
                 .blind = how.what == read_request::form::store,
                 .bytes = how.bytes},
                site);
}

}  // namespace ordeal::detail::graph
