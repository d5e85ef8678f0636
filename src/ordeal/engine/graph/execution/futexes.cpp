// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/execution/futexes.hpp"

#include "ordeal/engine/graph/execution/conditions.hpp"
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

seen_value futexes::change_line(object& line, const read_request& how, site_id site) {
    memory_.await_operation(line.where.address, true, site);
    const seen_value seen = memory_.read_event(line, how, site);
    if (how.variants_on(seen.value) > most_ways_to_wake) end_.refuse("a futex wake for some of so many threads", site);
    memory_.complete(line, how, seen, site);
    return seen;
}

// Before it compares, the kernel makes a full barrier: a waker that looks first whether anybody waits relies on it.
void futexes::fence_of_kernel(site_id site) {
    memory_.await_operation(0, false, site);
    thread_state& me = run_.self();
    const event_id id = memory_.next_event(me, event_kind::fence, site);
    (*run_.graph)[id].using_order = order::seq_cst;
    memory_.describe_write(me, id, initial_write);
    memory_.finish_event(me, id, site);
}

futex_end futexes::sleep_on(object& word, std::uint32_t expected, const wait_limit& limit, site_id site) {
    using form = read_request::form;
    thread_state& me = run_.self();
    const view known = me.happened;
    const view pending = me.pending;
    object line = line_beside(word.name_of, word.where.address);
    fence_of_kernel(site);
    (void)change_line(line, {.what = form::enter_line, .success = order::acquire}, site);
    memory_.await_operation(word.where.address, true, site);
    const seen_value seen = memory_.read_event(word, {.success = order::relaxed}, site);
    note_read_from(word, seen.source, site);
    const bool sleeps = seen.value == expected && limit.when != wait_limit::kind::passed;
    recorder_.record(nullptr, site, &word).saw(seen, word).note(seen.value != expected ? "holds another value" : "");
    (void)change_line(line,
                      {.what = form::modify,
                       .success = order::release,
                       .change = modification::bit_xor,
                       .operand = line_is_entered | (sleeps ? waiting_bit(run_.number) : 0)},
                      site);
    me.happened = known;
    me.happened[run_.index()] = me.next;
    me.pending = pending;
    if (seen.value != expected) return futex_end::changed;
    if (!sleeps) return futex_end::timed_out;
    const seen_value end =
        change_line(line, {.what = form::leave_line, .number = run_.number, .limit = limit.when}, site);
    recorder_.record(end.spurious ? "time limit" : "woken", site, &word);
    if (end.spurious) return futex_end::timed_out;
    prologue_.effect();  // a wake was used up
    return futex_end::woken;
}

futex_end futexes::wait(const caller_state& caller, memory_range word, std::uint32_t expected, const wait_limit& limit,
                        site_id site) {
    loops_.watch({word, order::relaxed, site}, caller, expected);
    object& target = lives_.live(word.address, site);
    if (run_.quiet()) {
        prologue_.step(site);
        const bool equal = quiet_.settled(target).initial == expected;
        recorder_.record(nullptr, site, &target).before(quiet_.settled(target).initial);
        if (!equal) return futex_end::changed;
        if (limit.when != wait_limit::kind::none) return futex_end::timed_out;  // nobody is there to wake it
        if (run_.alone()) end_.fail(violation_kind::deadlock, "blocked during construction or finish()", site);
        run_.leave_quiet();
    }
    return sleep_on(target, expected, limit, site);
}

unsigned futexes::wake(const caller_state& caller, std::uintptr_t word, unsigned count, site_id site) {
    loops_.watch({{word, 4}, order::relaxed, site}, caller, count);
    const location meant = notifications_.meant_by(word);
    const object* const named = run_.objects.find(word);
    if (run_.quiet() || meant == no_location) {
        prologue_.step(site);
        if (named != nullptr) recorder_.record(nullptr, site, named);
        return 0;
    }
    object line = line_beside(meant, word);
    const read_request request{
        .what = read_request::form::wake, .success = order::release, .operand = count, .threads = &run_.order()};
    const seen_value seen = change_line(line, request, site);
    const unsigned woken = std::min(count, static_cast<unsigned>(waiting_threads(seen.value)));
    recorder_.record(nullptr, site, named).note("wakes ", woken);
    if (woken != 0) prologue_.effect();
    return woken;
}

}  // namespace ordeal::graph
