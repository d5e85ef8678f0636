// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops: those that come back to where they were, and those that are not followed any further.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/fingerprint.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>
#include <array>

namespace ordeal::graph {

namespace {

std::string name_of(site_id site) { return to_string(sites().at(site).key) + "." + sites().at(site).operation; }

}  // namespace

// A caller on a stack of its own making equals nothing: how far that stack goes is not known.
std::uint64_t graph_memory::hash_of(const caller_state& caller) noexcept {
    if (!stacks_.on_stack(number_, caller.frame)) return ++never_equal_;
    const std::int64_t passed = options_.instrumented ? instrumented().clock().passed : 0;
    return passed == 0 ? caller.hash(stacks_.top(number_)) : caller.hash(stacks_.top(number_), passed);
}

// What the running thread may read, apart from its own stack. With a policy, what is shared is in the scenario object or
// on the heap.
std::uint64_t graph_memory::memory_state() const noexcept {
    const std::uint64_t blocks = heap::fingerprint();
    if (!options_.instrumented) return blocks;
    std::uint64_t stacks = 0;
    for (const int number : tree_.order()) {
        const thread_status status = state_of(number).status;
        if (number == number_ || status == thread_status::absent || status == thread_status::finished) continue;
        stacks = stacks * 31 + stacks_.hash_of_suspended(number);
    }
    return blocks ^ stacks ^ instrumented().fingerprint();
}

// For comparing states in which different times have passed.
thread_clock graph_memory::clock(const caller_state& caller) const noexcept {
    if (!options_.instrumented) return {};
    thread_clock result = instrumented().clock();
    result.kept = result.looked != 0 && keeps_time(caller);
    return result;
}

// Whether a point in time may be where the running thread can compare it with a clock, other than where hash_of() sees it.
bool graph_memory::keeps_time(const caller_state& caller) const noexcept {
    if (!stacks_.on_stack(number_, caller.frame)) return true;
    const auto registers = reinterpret_cast<std::uintptr_t>(caller.registers.data());
    if (model_clock::in_memory(caller.frame, stacks_.top(number_) - caller.frame, true)) return true;
    if (model_clock::in_memory(registers, sizeof(caller.registers), true)) return true;
    if (heap::holds_time() || instrumented().holds_time()) return true;
    return std::ranges::any_of(tree_.order(), [&](int number) {
        const thread_status status = state_of(number).status;
        if (number == number_ || status == thread_status::absent || status == thread_status::finished) return false;
        const memory_range stack = stacks_.suspended(number);
        return model_clock::in_memory(stack.address, stack.size, false);
    });
}

bool graph_memory::is_loop_site(site_id site) {
    if (site >= loop_sites_.size()) loop_sites_.resize(2 * (site + std::size_t{1}));
    loop_knowledge& knowledge = loop_sites_[site];
    if (knowledge == loop_knowledge::unasked) {
        const bool known = !loops_from_before_.empty() && loops_from_before_.contains(name_of(site));
        knowledge = known ? loop_knowledge::known : loop_knowledge::none;
    }
    if (knowledge == loop_knowledge::none && (self().yields >= yields_of_a_loop || reads_the_same_again(site))) {
        knowledge = loop_knowledge::known;
    }
    return knowledge == loop_knowledge::known;
}

std::vector<std::string> graph_memory::loops() const {
    std::vector<std::string> result(loops_from_before_.begin(), loops_from_before_.end());
    for (site_id site = 0; site < loop_sites_.size() && site < sites().size(); ++site) {
        if (loop_sites_[site] == loop_knowledge::known) result.push_back(name_of(site));
    }
    return result;
}

void graph_memory::expect_loops(const std::vector<std::string>& names) {
    loops_from_before_.insert(names.begin(), names.end());
    loop_sites_.clear();
}

// Notes that the thread is here; returns the visit before that it has come back to.
std::optional<loop_watch::visit> graph_memory::note_visit(site_id site, const caller_state& caller,
                                                          std::uint64_t operands) {
    const harness_scope harness;
    thread_state& me = self();
    if (is_loop_site(site)) {
        // What other threads did to memory in between makes another state of it, too: then it takes one more turn.
        return me.loop.note(site, me.next, hash_of(caller) ^ memory_state() ^ operands, clock(caller));
    }
    me.loop.note(site, me.next);
    return std::nullopt;
}

// What the operation is given may be nowhere but in registers that a call does not keep.
void graph_memory::watch_loop(const atomic_access& access, const caller_state& caller, std::uint64_t expected,
                              std::uint64_t desired) {
    enter();
    if (quiet()) return;
    thread_state& me = self();
    const std::array operands{std::uint64_t{access.where.address}, expected, desired};
    const auto before = note_visit(access.site, caller,
                                   hash_of_bytes(reinterpret_cast<std::uintptr_t>(&operands), sizeof(operands), 0));
    if (!before || !at_end(me)) return;
    // A turn for no reason but a spurious failure: the executions in which the thread goes on from here are those without it.
    // But other threads go on, and what they write may have been there for the thread when it looked.
    const auto spurious = [&](event_id id) { return (*graph_)[id].spurious; };
    if (std::any_of(me.path.begin() + before->event, me.path.end(), spurious)) return block(blocked_by::bound);
    me.turn_begin = before->event;
    me.polls_clock = before->clock.stood_still(clock(caller));
    met_.clock_bound |= me.polls_clock;
    block(blocked_by::loop);
}

// Whether the thread may have read the same value twice, the last two times that it was here with one and the same atomic:
// from one write, or from one of its own that put back what was there. In between it may have been here with others.
bool graph_memory::reads_the_same_again(site_id site) {
    const thread_state& me = self();
    const event* last = nullptr;
    for (auto each = me.loop.visits().rbegin(); each != me.loop.visits().rend(); ++each) {
        if (each->where != site) continue;
        const event& read = (*graph_)[me.path[each->event]];
        if (last == nullptr) {
            last = &read;
        } else if (read.where == last->where) {
            const bool own = last->source != initial_write && (*graph_)[last->source].number == number_;
            return own || read.source == last->source;
        }
    }
    return false;
}

void graph_memory::note_repetition(thread_state& me, event_id id, std::uint64_t value, site_id site) {
    const harness_scope harness;
    const event& read = (*graph_)[id];
    me.repeated.note(site, read, value, read.source != initial_write && (*graph_)[read.source].number == number_);
}

// A thread that stands at a new read where it has found the same for long waits until nothing else can happen.
void graph_memory::bound_turns(thread_state& me, std::uintptr_t address, site_id site) {
    const object* const known = objects_.find(address);
    if (known == nullptr) return;
    const repeated_reads::entry turns = me.repeated.at(site, known->name_of);
    const bool long_already = executed_ > options_.step_limit / 2;
    if (turns.count < (long_already ? turns_explored : turns_followed)) return;
    me.turn_begin = turns.event;
    me.turns = turns.count;
    block(blocked_by::turns);
}

void graph_memory::yield(site_id site) {
    enter();
    if (alone()) return;
    leave_quiet();
    step(site);
    if (tracing_) record(nullptr, site, nullptr);
    thread_state& me = self();
    if (me.next != me.yielded_at) ++me.yields;  // it has looked at something since
    me.yielded_at = me.next;
    if (me.yields > most_yields && at_end(me)) {
        met_.loop_bound = true;
        block(blocked_by::bound);
    }
}

void graph_memory::time_out(site_id site) {
    thread_state& me = self();
    ++me.time_outs;
    if (alone()) return;
    leave_quiet();
    step(site);
    if (me.guess.active || me.time_outs <= most_time_outs || !at_end(me)) return;
    if (sink_ == nullptr && chooser_ == nullptr) return;  // a livelock that is shown again
    met_.time_bound = true;
    block(blocked_by::bound);
}

}  // namespace ordeal::graph
