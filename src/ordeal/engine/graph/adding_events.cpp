// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events: those that the graph has, and new ones with the alternatives to them.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/graph/sequential_consistency.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

std::uint64_t read_request::written_on(std::uint64_t value, unsigned variant) const noexcept {
    switch (what) {
        case form::lock_shared:
        case form::try_lock_shared: return value + one_reader;
        case form::acquire:
        case form::try_acquire: return value - 1;
        case form::wake_up: return after_wake_up(value, number);
        case form::notify_all: return after_notify_all(value);
        case form::notify_one: return after_notify_one(value, variant, *threads);
        default: break;
    }
    std::uint64_t result = operand;
    switch (change) {
        case modification::exchange: break;
        case modification::add: result = value + operand; break;
        case modification::subtract: result = value - operand; break;
        case modification::bit_and: result = value & operand; break;
        case modification::bit_or: result = value | operand; break;
        case modification::bit_xor: result = value ^ operand; break;
    }
    return size < 8 ? result & ((std::uint64_t{1} << (8 * size)) - 1) : result;
}

// The event that comes next in this thread; a new one at the end of the graph.
event_id graph_memory::next_event(thread_state& me, event_kind kind, site_id site) {
    if (!at_end(me)) {
        const event_id id = me.path[me.next];
        if ((*graph_)[id].kind != kind) diverge("another operation than before", site);
        return id;
    }
    const harness_scope harness;
    event fresh;
    fresh.index = me.next;
    fresh.number = static_cast<std::uint8_t>(number_);
    fresh.kind = kind;
    const event_id id = graph_->add(fresh);
    me.path.push_back(id);
    facts_.resize(graph_->size());
    facts_[id] = {};
    return id;
}

// The views of a read and of a write, from where the thread stands.
void graph_memory::describe_read(const thread_state& me, event_id id) {
    const event& read = (*graph_)[id];
    event_facts& facts = facts_[id];
    facts.before = me.happened;
    facts.happened = me.happened;
    facts.prefix = me.prefix;
    ++facts.happened[read.number];
    ++facts.prefix[read.number];
    if (read.source == initial_write) return;
    const event_facts& source = facts_[read.source];
    facts.prefix.join(source.prefix);
    if (!acquires(read.using_order)) return;
    if (!read.shared) {
        facts.happened.join(source.release);
    } else if (const event_id writer = last_writer_of_lock(read.source); writer != initial_write) {
        facts.happened.join(facts_[writer].release);
    }
}

// Readers of a lock are ordered after writers, not after each other ([thread.sharedmutex.requirements]): what a reader
// acquires is the unlock of the last writer, a plain store below a chain of readers' read-modify-writes.
event_id graph_memory::last_writer_of_lock(event_id source) const {
    while (source != initial_write && (*graph_)[source].exclusive) {
        const event& write = (*graph_)[source];
        source = (*graph_)[state_of(write.number).path[write.index - std::size_t{1}]].source;
    }
    return source;
}

void graph_memory::describe_write(const thread_state& me, event_id id, event_id source) {
    const event& write = (*graph_)[id];
    event_facts& facts = facts_[id];
    facts.happened = me.happened;
    facts.prefix = me.prefix;
    ++facts.happened[write.number];
    ++facts.prefix[write.number];
    facts.release = releases(write.using_order) ? facts.happened : me.released;
    // A read-modify-write continues the release sequence that it read from ([atomics.order]/2 by [intro.races]/5).
    if (write.exclusive && source != initial_write) facts.release.join(facts_[source].release);
}

void graph_memory::finish_event(thread_state& me, event_id id, site_id site) {
    const event& made = (*graph_)[id];
    event_facts& facts = facts_[id];
    if (made.kind == event_kind::read && made.source != initial_write && !acquires(made.using_order)) {
        me.pending.join(facts_[made.source].release);
    }
    me.happened = facts.happened;
    me.prefix = facts.prefix;
    ordered_ |= made.using_order == order::seq_cst;
    facts.step = step_;
    facts.site = site;
    facts.done = true;
    ++me.next;
    ++executed_;
}

// Waits until the operation may be done, and finds its object.
object& graph_memory::come_to(std::uintptr_t address, object_kind kind, bool reads, site_id site) {
    if (reads && quiet()) note_quiet_read();
    if (!quiet()) {
        thread_state& me = self();
        if (at_end(me)) {
            if (reads) bound_turns(me, site);
            await_turn(me);
        } else if (reads) {
            await_source(me, site);
        }
    }
    step(site);
    object& target = touch(address, site, kind);
    return alone() ? settled(target) : target;
}

void graph_memory::bind(event_id id, const object& target, site_id site) {
    event& known = (*graph_)[id];
    if (known.where == no_location) known.where = target.name_of;
    if (known.where != target.name_of) diverge("an operation on another object than before", site);
}

graph_memory::seen_value graph_memory::read_event(object& target, const read_request& how, site_id site) {
    if (quiet()) {
        if (alone() || !how.blocks_on(target.initial)) return read_alone(target, how, site);
        leave_quiet();  // nobody can help it any more
        return read_event(come_to(target.where.address, target.kind, true, site), how, site);
    }
    for (;;) {
        const seen_value seen = read_once(target, how, site);
        if (!how.blocks_on(seen.value) || seen.spurious) return seen;
        if (tracing_) record("blocks", site, &target);
        // The graph of a random execution may have what the thread read when it could go on.
        thread_state& me = self();
        if (at_end(me)) {
            block(how.limit != wait_limit::kind::none ? blocked_by::time
                  : how.waits_for_newest()            ? blocked_by::lock
                                                      : blocked_by::wait);
            await_turn(me);
        } else {
            await_source(me, site);
        }
    }
}

graph_memory::seen_value graph_memory::read_once(object& target, const read_request& how, site_id site) {
    thread_state& me = self();
    const bool fresh = at_end(me);
    const event_id id = next_event(me, event_kind::read, site);
    bind(id, target, site);
    (*graph_)[id].repeated = me.repeated.at(site).count >= turns_explored;
    if (fresh) choose_source(id, target, how);
    event& read = (*graph_)[id];
    const std::uint64_t value = value_of(read.source, target);
    const bool wakes = how.what == read_request::form::wake_up;
    read.using_order = read.spurious && !wakes ? how.failure : how.order_on(value);
    read.waits = how.may_block();
    read.wakes = wakes;
    read.shared = how.shares();
    if (read.spurious) ++(wakes ? me.wake_ups : me.spurious);
    if (me.wake_ups > most_wake_ups && sink_ != nullptr) {
        met_.wake_up_bound = true;
        abandon();
    }
    describe_read(me, id);
    finish_event(me, id, site);
    note_repetition(me, id, value, site);
    return {value, id, read.source, read.spurious, fresh, read.variant};
}

// Adds to `sources_` what the new read may do with what is at this place of coherence. What only needs its write, and no
// run of its own, is done with here.
void graph_memory::consider_source(event_id id, std::size_t place, const object& target, const read_request& how) {
    const event_id source = order_[place];
    const std::uint64_t value = value_of(source, target);
    const bool newest = place + 1 == order_.size();
    // A lock that waits for an unlock that is there already: the unlock is read instead.
    if (how.waits_for_newest() && how.blocks_on(value) && !newest) {
        if (how.what == read_request::form::wake_up) consider_wake_up(id, place, target, how);
        return;
    }
    event& read = (*graph_)[id];
    read.source = source;
    read.using_order = how.order_on(value);
    if (how.exclusive_on(value) && !newest && (*graph_)[order_[place + 1]].exclusive) {
        // Another read-modify-write has it. This one's write has no place beside that, but may be read by it.
        if (sink_ != nullptr) revisit_by_consumed(id, source, target, how);
    } else if (wakes_by_itself(how, value)) {
        // A random execution does not wait for what may come as well.
    } else if (fits(id, newest)) {
        sources_.push_back({source, false});
        consider_variants(id, how, value);
    }
    if (how.weak && how.exclusive_on(value)) consider_failure(id, newest, how);
    if (how.what == read_request::form::wake_up && how.blocks_on(value)) consider_wake_up(id, place, target, how);
}

// A notification may be for any of the threads that wait; a wait may have come to its limit as well.
void graph_memory::consider_variants(event_id id, const read_request& how, std::uint64_t value) {
    for (int variant = 1; variant < how.variants_on(value); ++variant) {
        sources_.push_back({(*graph_)[id].source, false, static_cast<std::uint8_t>(variant)});
    }
}

bool graph_memory::wakes_by_itself(const read_request& how, std::uint64_t value) const noexcept {
    return chooser_ != nullptr && sink_ == nullptr && how.limit != wait_limit::kind::none && how.blocks_on(value);
}

// A wait on a condition variable that was not notified ends all the same, at its limit or for no reason.
void graph_memory::consider_wake_up(event_id id, std::size_t place, const object& target, const read_request& how) {
    const event_id source = order_[place];
    if (self().wake_ups >= most_wake_ups && !wakes_by_itself(how, value_of(source, target))) {
        met_.wake_up_bound = true;
        return;
    }
    const std::uint64_t value = value_of(source, target);
    if (place + 1 == order_.size()) {
        for (int variant = 0; variant < how.variants_on(value); ++variant) {
            sources_.push_back({source, true, static_cast<std::uint8_t>(variant)});
        }
    } else if (sink_ != nullptr) {
        (*graph_)[id].source = source;
        (*graph_)[id].spurious = true;
        (*graph_)[id].using_order = how.success;
        revisit_by_consumed(id, source, target, how);
        (*graph_)[id].spurious = false;
    }
}

// Whether the read as it is leaves the graph consistent. Only seq_cst can be against it: coherence is kept by the bound.
// And nothing comes after a new event that reads the newest write, so it is in no cycle.
bool graph_memory::fits(event_id read, bool newest) {
    if (newest || (!ordered_ && (*graph_)[read].using_order != order::seq_cst)) return true;
    describe_read(self(), read);
    return sequentially_consistent(*graph_, facts_);
}

// Where another failure would be one too many, the verdict has to say so.
bool graph_memory::may_fail_once_more() {
    const bool allowed = self().spurious < options_.spurious;
    met_.spurious_bound |= !allowed;
    return allowed;
}

// A weak compare-exchange that could succeed may fail, where that makes a difference.
void graph_memory::consider_failure(event_id id, bool newest, const read_request& how) {
    if (sink_ != nullptr && !(*graph_)[id].unsteady) return;
    if (!may_fail_once_more()) return;
    (*graph_)[id].using_order = how.failure;
    if (fits(id, newest)) sources_.push_back({(*graph_)[id].source, true});
}

void graph_memory::take_source(event_id id, const alternative_source& chosen) noexcept {
    (*graph_)[id].source = chosen.source;
    (*graph_)[id].spurious = chosen.spurious;
    (*graph_)[id].variant = chosen.variant;
}

void graph_memory::choose_source(event_id id, const object& target, const read_request& how) {
    const harness_scope harness;
    const std::uint16_t bound = graph_->bound(target.name_of, self().happened);
    (*graph_)[id].unsteady = how.weak && graph_->unsteady_next == number_;
    if ((*graph_)[id].unsteady) graph_->unsteady_next = 0;
    order_ = graph_->coherence(target.name_of);
    sources_.clear();
    for (std::size_t place = order_.size(); place > bound; --place) {
        if ((*graph_)[id].repeated && sink_ != nullptr && !sources_.empty()) {
            met_.turn_bound = true;
            sources_.resize(1);
            break;
        }
        consider_source(id, place - 1, target, how);
    }
    if (sources_.empty()) abandon();
    if (sink_ != nullptr) {
        for (std::size_t i = 1; i < sources_.size(); ++i) {
            take_source(id, sources_[i]);
            sink_->emit(*graph_);
        }
    }
    take_source(id, sources_[chooser_ != nullptr ? chooser_->choose(sources_.size()) : 0]);
    if (sink_ != nullptr && !sink_->go_on()) abandon();
}

// A read that a revisit let succeed: the alternatives that it fails, or that what it writes is another thing, were none
// when it was added.
void graph_memory::emit_other_ways(event_id id, const read_request& how, std::uint64_t value) {
    event& read = (*graph_)[id];
    if (sink_ == nullptr || !read.revisited) return;
    const harness_scope harness;
    if (read.unsteady && !read.spurious &&
        may_fail_once_more()) {  // a wake-up as text is unsteady where it is spurious
        read.spurious = true;
        sink_->emit(*graph_);
        read.spurious = false;
    }
    if (read.variant != 0) return;  // one of those itself
    for (int variant = 1; variant < how.variants_on(value); ++variant) {
        read.variant = static_cast<std::uint8_t>(variant);
        sink_->emit(*graph_);
    }
    read.variant = 0;
}

void graph_memory::revisit_by_consumed(event_id id, event_id source, const object& target, const read_request& how) {
    const std::uint64_t value = value_of(source, target);
    for (int variant = 0; variant < how.variants_on(value); ++variant) {
        (*graph_)[id].variant = static_cast<std::uint8_t>(variant);
        revisit_by_consumed(id, source, how, how.written_on(value, static_cast<unsigned>(variant)));
    }
    if (how.variants_on(value) == 0) revisit_by_consumed(id, source, how, how.written_on(value, 0));
    (*graph_)[id].variant = 0;
}

void graph_memory::revisit_by_consumed(event_id id, event_id source, const read_request& how, std::uint64_t written) {
    describe_read(self(), id);
    thread_state after;
    after.happened = facts_[id].happened;
    after.prefix = facts_[id].prefix;
    after.released = self().released;
    event write;
    write.index = static_cast<std::uint16_t>(self().next + 1);
    write.number = static_cast<std::uint8_t>(number_);
    write.kind = event_kind::write;
    write.where = (*graph_)[id].where;
    write.using_order = how.success;
    write.exclusive = true;
    write.value = written;
    const event_id made = graph_->add(write);
    facts_.resize(graph_->size());
    facts_[made] = {};
    describe_write(after, made, source);
    revisit_by(made);
    graph_->remove_last();
    facts_.pop_back();
}

void graph_memory::revisit_by(event_id write) {
    const bool all = emit_revisits(*graph_, facts_, write, *sink_);
    met_.turn_bound |= !all;
}

void graph_memory::write_event(const object& target, order using_order, std::uint64_t value, event_id source,
                               bool exclusive, site_id site) {
    thread_state& me = self();
    const bool fresh = at_end(me);
    const event_id id = next_event(me, event_kind::write, site);
    event& write = (*graph_)[id];
    if (!fresh && write.exclusive != exclusive) diverge("another operation than before", site);
    if (!fresh && write.where != no_location && write.value != value) {
        // A pointer to such memory.
        if (options_.instrumented && instrumented().unknown(value)) refuse_unknown_memory(site);
        diverge("another value than before", site);
    }
    bind(id, target, site);
    write.value = value;
    write.using_order = using_order;
    write.exclusive = exclusive;
    describe_write(me, id, source);
    finish_event(me, id, site);
    if (fresh) choose_place(id, source);
}

// The write of a read-modify-write, after its read.
void graph_memory::complete(object& target, const read_request& how, const seen_value& seen, site_id site) {
    const std::uint64_t value = how.written_on(seen.value, seen.variant);
    if (quiet()) {
        write_alone(target, value, site);
        return;
    }
    thread_state& me = self();
    if (at_end(me) && !seen.fresh) {
        emit_other_ways(seen.id, how, seen.value);
        me.halfway = true;
        await_turn(me);
    }
    write_event(target, how.success, value, seen.source, true, site);
}

void graph_memory::choose_place(event_id id, event_id source) {
    const harness_scope harness;
    const location where = (*graph_)[id].where;
    if (sink_ != nullptr) revisit_by(id);
    allowed_places(*graph_, id, source, graph_->bound(where, facts_[id].happened), places_);
    if (ordered_) {
        const std::size_t last = graph_->coherence(where).size();
        std::erase_if(places_, [&](std::uint16_t place) {
            if (place == last) return false;  // nothing comes after it
            alternative_ = *graph_;
            alternative_.put(id, place);
            return !sequentially_consistent(alternative_, facts_);
        });
    }
    if (sink_ != nullptr) {
        for (std::size_t i = 1; i < places_.size(); ++i) {
            alternative_ = *graph_;
            alternative_.put(id, places_[i]);
            sink_->emit(alternative_);
        }
        if (!sink_->go_on()) abandon();
    }
    if (places_.empty()) abandon();
    graph_->put(id, places_[chooser_ != nullptr ? chooser_->choose(places_.size()) : 0]);
}

}  // namespace ordeal::graph
