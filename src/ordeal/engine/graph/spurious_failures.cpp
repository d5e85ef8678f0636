// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that come back to where they were, and weak compare-exchanges that fail for no reason and make such loops.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

namespace ordeal::graph {

namespace {

// Turns of a loop with a yield whose states cannot be told to be the same: it counts them, say.
constexpr unsigned most_yields = 8;

}  // namespace

void graph_memory::compare_memory() { self().loop.arrive(heap::fingerprint()); }

std::uint64_t graph_memory::hash_of(const caller_state& caller) const noexcept {
    return stacks_.on_stack(number_, caller.frame) ? caller.hash(stacks_.top(number_)) : 0;
}

void graph_memory::watch_loop(site_id site, const caller_state& caller) {
    enter();
    if (alone()) return;
    thread_state& me = self();
    if (site >= loop_sites_.size()) {
        const harness_scope harness;
        loop_sites_.resize(2 * (site + std::size_t{1}));
    }
    const harness_scope harness;
    if (!loop_sites_[site] && reads_the_same_again(site)) loop_sites_[site] = true;
    if (!loop_sites_[site]) {
        me.loop.note(site, me.next);
        return;
    }
    const auto before = me.loop.note(site, me.next, hash_of(caller));
    if (!before || !at_end(me)) return;
    // A turn for no reason but a spurious failure: the same goes on from where it began.
    for (std::size_t i = before->event; i < me.path.size(); ++i) {
        if ((*graph_)[me.path[i]].spurious) abandon();
    }
    me.turn_begin = before->event;
    block(blocked_by::loop);
}

// Whether the thread may have read the same value twice, the last two times that it was here: from one write, or from
// one of its own that put back what was there.
bool graph_memory::reads_the_same_again(site_id site) {
    const thread_state& me = self();
    const auto visits = me.loop.last_two(site);
    if (visits[1] == nullptr) return false;
    const event& last = (*graph_)[me.path[visits[0]->event]];
    const event& before = (*graph_)[me.path[visits[1]->event]];
    const bool own = last.source != initial_write && (*graph_)[last.source].number == number_;
    return last.where == before.where && (own || last.source == before.source);
}

void graph_memory::watch_loop_end(site_id site) {
    if (!alone() && loop_sites_[site]) self().loop.leave(heap::fingerprint());
}

void graph_memory::yield(site_id site) {
    enter();
    if (alone()) return;
    step(site);
    if (tracing_) record(nullptr, site, nullptr);
    thread_state& me = self();
    if (++me.yields > most_yields && at_end(me)) {
        met_.loop_bound = true;
        me.turn_begin = me.yielded_at;
        block(blocked_by::loop);
    }
    me.yielded_at = me.next;
}

speculation graph_memory::state_at(const atomic_access& access, std::uint64_t expected, std::uint64_t desired,
                                   const caller_state& caller) noexcept {
    return {.active = true,
            .where = access.site,
            .address = access.where.address,
            .expected = expected,
            .desired = desired,
            .state = hash_of(caller),
            .memory = heap::fingerprint()};
}

// Whether a new weak compare-exchange is first made to fail, whatever it will read: what comes of that depends on the
// thread alone.
bool graph_memory::may_guess() noexcept {
    return !alone() && sink_ != nullptr && at_end(self()) && graph_->unsteady_next != number_;
}

// Comes to an operation that may fail spuriously; null: it does so now, on trial.
object* graph_memory::come_to_weak(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                   std::uint64_t desired, const caller_state& caller) {
    thread_state& me = self();
    if (me.guess.active) {
        if (!me.guess.same_state(state_at(access, expected, desired, caller))) give_up_guess();
        me.guess.active = false;
        return me.guess.target;
    }
    watch_loop(access.site, caller);
    object& target = come_to(access.where.address, kind, true, access.site);
    if (!may_guess()) return &target;
    me.guess = state_at(access, expected, desired, caller);
    me.guess.target = &target;
    return nullptr;
}

// The failure leads to another state, so it is an alternative of its own; this run has gone too far to go on.
void graph_memory::give_up_guess() {
    self().guess.active = false;
    const harness_scope harness;
    graph_->unsteady_next = static_cast<std::uint8_t>(number_);
    sink_->emit(*graph_);
    graph_->unsteady_next = 0;
    abandon();
}

}  // namespace ordeal::graph
