// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system call futex, as the kernel has it: beside each word there is a line of those who sleep, and a lock. A wait
// compares the word and enters the line while it has the lock; a wake takes some out of the line. So a wake either finds
// the wait in the line, or comes before it, and then the wait finds in the word what was stored before the wake.
//
// The line is an atomic that holds who waits and who was woken, as a condition variable is one. What its order tells a
// thread counts where the word is compared and nowhere else: a program that hands data over must do that by its own atomics.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/graph/locations.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>

namespace ordeal::graph {

namespace {

// It is the kernel's, and may be there when the word is not any more.
object line_beside(location word, std::uintptr_t address) {
    object result;
    result.where = {address | lock_beside, sizeof(std::uint32_t)};
    result.kind = object_kind::condition;
    result.name_of = beside(word);
    return result;
}

}  // namespace

graph_memory::seen_value graph_memory::change_line(object& line, const read_request& how, site_id site) {
    await_operation(line.where.address, true, site);
    const seen_value seen = read_event(line, how, site);
    if (how.variants_on(seen.value) > most_ways_to_wake) refuse("a futex wake for some of so many threads", site);
    complete(line, how, seen, site);
    return seen;
}

// Whether a wait ends for no reason is a choice of the search, as a spurious failure is.
void graph_memory::choose_end(event_id fence) {
    const harness_scope harness;
    if (self().wake_ups >= most_wake_ups) {
        met_.wake_up_bound = true;
        return;
    }
    if (sink_ != nullptr) {
        (*graph_)[fence].spurious = true;
        sink_->emit(*graph_);
        (*graph_)[fence].spurious = false;
        if (!sink_->go_on()) abandon();
    }
    if (chooser_ != nullptr) (*graph_)[fence].spurious = chooser_->choose(2) != 0;
}

// Before it compares, the kernel makes a full barrier: a waker that looks first whether anybody waits relies on it. Returns
// whether the wait ends for no reason.
bool graph_memory::fence_of_kernel(bool may_end, site_id site) {
    await_operation(0, false, site);
    thread_state& me = self();
    const bool fresh = at_end(me);
    const event_id id = next_event(me, event_kind::fence, site);
    (*graph_)[id].using_order = order::seq_cst;
    if (fresh && may_end) choose_end(id);
    const bool ends = (*graph_)[id].spurious;
    if (ends) ++me.wake_ups;
    describe_write(me, id, initial_write);
    finish_event(me, id, site);
    return ends;
}

// The word as the kernel sees it when it compares.
graph_memory::seen_value graph_memory::look_at_word(object& word, std::uint32_t expected, site_id site) {
    await_operation(word.where.address, true, site);
    const seen_value seen = read_event(word, {.success = order::relaxed}, site);
    note_crossing(seen.source, site);
    note_first_value(word, seen.source, site);
    if (tracing_) {
        trace_step* const entry = record(nullptr, site, &word);
        record_read(entry, seen, word);
        entry->note = seen.value != expected ? "holds another value" : "";
    }
    return seen;
}

futex_end graph_memory::sleep_on(object& word, std::uint32_t expected, const wait_limit& limit, site_id site) {
    using form = read_request::form;
    thread_state& me = self();
    const view known = me.happened;
    const view pending = me.pending;
    const auto forget = [&] {
        me.happened = known;
        me.happened[index()] = me.next;
        me.pending = pending;
    };
    if (fence_of_kernel(limit.when != wait_limit::kind::passed, site)) {
        // It has slept, or would be told that the word is another one, which other executions have. It has been in the line
        // and left it, and nobody has noticed: to all others it is as if it had not been there.
        const bool changed = look_at_word(word, expected, site).value != expected;
        if (changed && sink_ != nullptr && chooser_ == nullptr) block(blocked_by::bound);
        if (tracing_ && !changed) record("woken for no reason", site, &word);
        forget();
        return changed ? futex_end::changed : futex_end::woken;
    }
    object line = line_beside(word.name_of, word.where.address);
    (void)change_line(line, {.what = form::enter_line, .success = order::acquire}, site);
    const seen_value seen = look_at_word(word, expected, site);
    const bool sleeps = seen.value == expected && limit.when != wait_limit::kind::passed;
    (void)change_line(line,
                      {.what = form::modify,
                       .success = order::release,
                       .change = modification::bit_xor,
                       .operand = line_is_entered | (sleeps ? waiting_bit(number_) : 0)},
                      site);
    forget();
    if (seen.value != expected) return futex_end::changed;
    if (!sleeps) return futex_end::timed_out;
    const seen_value end = change_line(line, {.what = form::leave_line, .number = number_, .limit = limit.when}, site);
    if (tracing_) record(end.spurious ? "time limit" : "woken", site, &word);
    if (end.spurious) return futex_end::timed_out;
    effect();  // a wake was used up
    return futex_end::woken;
}

futex_end graph_memory::futex_wait(const caller_state& caller, memory_range word, std::uint32_t expected,
                                   const wait_limit& limit, site_id site) {
    watch_loop({word, order::relaxed, site}, caller, expected);
    // The executions in which the thread goes on from here are those in which the wait had not ended before.
    const std::uintptr_t what = word.address ^ std::uintptr_t{expected} << 32;
    if (!quiet() && waits_idly(caller, what, site, limit) && at_end(self())) block(blocked_by::bound);
    object& target = live(word.address, site);
    if (quiet()) {
        step(site);
        const bool equal = settled(target).initial == expected;
        if (tracing_) record(nullptr, site, &target)->before = settled(target).initial;
        if (!equal) return futex_end::changed;
        if (limit.when != wait_limit::kind::none) return futex_end::timed_out;  // nobody is there to wake it
        if (alone()) fail(violation_kind::deadlock, "blocked during construction or finish()", site);
        leave_quiet();
    }
    return sleep_on(target, expected, limit, site);
}

unsigned graph_memory::futex_wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) {
    watch_loop({{word, 4}, order::relaxed, site}, caller, count);
    const location meant = meant_by(word);
    const object* const named = objects_.find(word);
    if (quiet() || meant == no_location) {
        step(site);
        if (tracing_ && named != nullptr) record(nullptr, site, named);
        return 0;
    }
    object line = line_beside(meant, word);
    const read_request request{
        .what = read_request::form::wake, .success = order::release, .operand = count, .threads = &tree_.order()};
    const seen_value seen = change_line(line, request, site);
    const unsigned woken = std::min(count, static_cast<unsigned>(waiting_threads(seen.value)));
    if (tracing_) {
        const harness_scope harness;
        record(nullptr, site, named)->note = "wakes " + std::to_string(woken);
    }
    if (woken != 0) effect();
    return woken;
}

}  // namespace ordeal::graph
