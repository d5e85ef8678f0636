// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/futexes.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

namespace {

// It belongs to the kernel, and may outlive the futex word. The parts of an object have one each.
object queue_of(location word, std::uintptr_t address) {
    object result;
    result.where = {address | companion_lock, sizeof(std::uint32_t)};
    result.kind = object_kind::condition;
    result.name_of = at_address(address, incarnation_of(word), true);
    return result;
}

}  // namespace

seen_value futexes::change_queue(object& queue, const read_request& how, site_id site) {
    memory_.await_operation(queue.where.address, memory_access::update, site);
    const seen_value seen = memory_.read_event(queue, how, site);
    if (how.variants_on(seen.value) > most_ways_to_wake)
        run_end_.refuse("a futex wake for some of so many threads", site);
    memory_.complete(queue, how, seen, site);
    return seen;
}

// Whether a wait returns spuriously is a choice of the search, like a spurious failure.
void futexes::choose_end(event_id fence) {
    const harness_scope harness;
    if (run_.self().wake_ups >= most_wake_ups) {
        search_facts_.wake_up_bound = true;
        return;
    }
    if (run_.strategy->explores()) {
        if (!scheduling_points_.take_snapshot()) return;
        (*run_.graph)[fence].fence().spurious = true;
        run_.strategy->emit(*run_.graph);
        (*run_.graph)[fence].fence().spurious = false;
        if (!run_.strategy->go_on()) run_end_.abandon();
    }
    (*run_.graph)[fence].fence().spurious = run_.strategy->choose(1, 2) != 0;
}

// The kernel executes a full barrier before it compares: a waker that first checks for waiters relies on it. Returns
// whether the wait returns spuriously.
bool futexes::fence_of_kernel(bool may_end, site_id site) {
    memory_.await_operation(0, memory_access::write, site);
    thread_state& me = run_.self();
    const bool fresh = run_.at_end(me);
    const event_id id = memory_.next_event(me, event_kind::fence, site);
    (*run_.graph)[id].using_order = order::seq_cst;
    if (fresh && may_end) choose_end(id);
    const bool ends = (*run_.graph)[id].fence().spurious;
    if (ends) ++me.wake_ups;
    run_.views[id].hb_before_acquire.become(me.hb);
    memory_.finish_without_access(me, id, site);
    return ends;
}

bool futexes::holds_another(const futex_word& word, std::uint32_t expected, site_id site) {
    memory_.await_operation(word.object.where.address, memory_access::update, site);
    const seen_value seen = memory_.read_event(word.object, {.success = order::relaxed, .bytes = word.bytes}, site);
    note_read_from(word.object, seen.rf, site);
    const bool another = word.bytes.of(seen.value) != expected;
    recorder_.record(nullptr, site, &word.object)
        .of_part(word.where, word.bytes)
        .saw(seen, word.object)
        .note(another ? "holds another value" : "");
    return another;
}

futex_wait_result futexes::sleep_on(const futex_word& word, std::uint32_t expected, const wait_timeout& limit,
                                    site_id site) {
    using form = read_request::form;
    run_.some_waited = true;
    thread_state& me = run_.self();
    const view known = me.hb;
    const view pending = me.acq;
    const auto forget = [&] {
        me.hb = known;
        me.hb[run_.index()] = me.next;
        me.acq = pending;
    };
    if (fence_of_kernel(limit.when != wait_timeout::kind::expired, site)) {
        // It has slept; or it finds that the word has changed, which other executions have too. It entered and left the
        // queue unobserved: to all others it is as if it had not been there.
        const bool changed = holds_another(word, expected, site);
        if (changed && run_.strategy->explores()) scheduling_points_.block(blocked::by_pruning{});
        me.woke_spuriously_at = me.next;
        if (!changed) recorder_.record("woken spuriously", site, &word.object).of_part(word.where, word.bytes);
        forget();
        return changed ? futex_wait_result::changed : futex_wait_result::woken;
    }
    object queue = queue_of(word.object.name_of, word.where.address);
    (void)change_queue(queue, {.what = form::enter_queue, .success = order::acquire}, site);
    const bool changed = holds_another(word, expected, site);
    const bool sleeps = !changed && limit.when != wait_timeout::kind::expired;
    (void)change_queue(queue,
                       {.what = form::modify,
                        .success = order::release,
                        .change = modification::bit_xor,
                        .operand = queue_is_locked,
                        .begins_wait = sleeps,
                        .thread_id = run_.thread_id},
                       site);
    forget();
    if (changed) return futex_wait_result::changed;
    if (!sleeps) return futex_wait_result::timed_out;
    ++me.waits_made;
    const wait_timeout::kind comes = sleeps_.await(queue, form::leave_queue, limit, site);
    const seen_value end =
        change_queue(queue, {.what = form::leave_queue, .thread_id = run_.thread_id, .limit = comes}, site);
    recorder_.record(end.spurious ? "time limit" : "woken", site, &word.object).of_part(word.where, word.bytes);
    if (end.spurious) return futex_wait_result::timed_out;
    operation_accounting_.effect();  // a wake was consumed
    return futex_wait_result::woken;
}

futex_wait_result futexes::wait(const caller_state& caller, memory_range word, std::uint32_t expected,
                                const wait_timeout& limit, site_id site) {
    thread_visits_.watch({{word.address, 0}, order::relaxed, site}, caller, expected);
    const std::uintptr_t what = word.address ^ std::uintptr_t{expected} << 32;
    if (!run_.single_threaded()) {
        const auto idle = reductions_.at_wait({caller, what, site, limit, false});
        if (idle && run_.at_end(run_.self())) {
            // Without a limit it has ended spuriously, and might as well not have.
            if (limit.when == wait_timeout::kind::none) {
                scheduling_points_.block(blocked::by_pruning{});
            } else {
                block_in_repeated_wait({*idle});
            }
        }
    }
    const accessed_bytes at = run_.mixed_sizes->of(word);
    object& target = object_lifetimes_.live(at.object.address, site);
    if (run_.single_threaded()) {
        operation_accounting_.step(site);
        const std::uint64_t holds = at.bytes.of(single_threaded_memory_.settled(target).initial);
        const bool equal = holds == expected;
        recorder_.record(nullptr, site, &target).of_part(word, at.bytes).before(holds);
        if (!equal) return futex_wait_result::changed;
        if (limit.when != wait_timeout::kind::none) {  // no other thread can wake it
            sleeps_.come_to(limit);
            return futex_wait_result::timed_out;
        }
        if (run_.on_main_thread())
            run_end_.fail(violation_kind::deadlock, "blocked during construction or finish()", site);
        run_.leave_single_threaded();
    }
    return sleep_on({target, word, at.bytes}, expected, limit, site);
}

unsigned futexes::wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) {
    thread_visits_.watch({{word, 0}, order::relaxed, site}, caller, count);
    const location meant = notifications_.meant_by(word);
    const object* const named = run_.objects.find(run_.mixed_sizes->of({word, 1}).object.address);
    if (run_.single_threaded() || meant == no_location) {
        operation_accounting_.step(site);
        if (named != nullptr) recorder_.record(nullptr, site, named);
        return 0;
    }
    object queue = queue_of(meant, word);
    const read_request request{
        .what = read_request::form::wake, .success = order::release, .operand = count, .threads = &run_.order()};
    const seen_value seen = change_queue(queue, request, site);
    const unsigned woken = std::min(count, static_cast<unsigned>(waiting_threads(seen.value)));
    recorder_.record(nullptr, site, named).note("wakes ", woken);
    if (woken != 0) operation_accounting_.effect();
    return woken;
}

}  // namespace ordeal::detail::graph
