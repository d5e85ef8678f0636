// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that the code on trial creates and joins.
#include "ordeal/engine/code_on_trial.hpp"
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>

namespace ordeal::graph {

void graph_memory::run_created(void* self, int number) {
    auto& me = *static_cast<graph_memory*>(self);
    thread_state& thread = me.state_of(number);
    guarded([&] { thread.body(thread.argument); });
    guarded([] { instrumented().finish_thread(); });
    me.finish_thread();
}

// Whether a thread that ended before this point has told its id to the code on trial; the new one's is always another.
bool graph_memory::could_have_id_of_another() const noexcept {
    const view& happened = state_of(number_).happened;
    return std::ranges::any_of(tree_.order(), [&](int number) {
        const thread_state& each = state_of(number);
        return each.asked_id && each.status == thread_status::finished &&
               happened[static_cast<std::size_t>(number)] > each.next;
    });
}

// A creation is an event: what came before it in its thread, and nothing after it, happens before the new thread.
int graph_memory::create_thread(void (*body)(void*), void* argument, site_id site) {
    if (alone()) refuse("a thread created during construction or finish() of a scenario", site);
    effect();
    leave_quiet();
    thread_state& me = self();
    if (at_end(me)) await_turn(me);
    step(site);
    const int number = tree_.created_by(number_, me.created++);
    static_assert(most_threads == 15);
    if (number == 0) refuse("more than 15 threads", site);
    const event_id id = next_event(me, event_kind::creation, site);
    event& made = (*graph_)[id];
    if (made.value != 0 && made.value != static_cast<std::uint64_t>(number)) {
        diverge("another thread is created than before", site);
    }
    made.value = static_cast<std::uint64_t>(number);
    met_.id_bound |= could_have_id_of_another();
    made.using_order = order::release;
    describe_write(me, id, initial_write);
    finish_event(me, id, site);
    thread_state& child = state_of(number);
    if (child.status == thread_status::absent && child.path.empty()) child.begin(thread_status::ready);
    child.status = thread_status::ready;
    child.happened = me.happened;
    child.prefix = me.prefix;
    child.body = body;
    child.argument = argument;
    stacks_.start(number, &run_created, this);
    if (tracing_) {
        const harness_scope harness;
        record("create thread", site, nullptr)->note = "thread " + std::to_string(number);
    }
    return number - 1;
}

// The end of a thread is no event. Its last accesses are in an epoch after its last event, and so is what its end is
// known by.
void graph_memory::join_thread(int thread, site_id site) {
    effect();
    const int number = thread + 1;
    thread_state& me = self();
    const thread_state& child = state_of(number);
    if (alone()) {
        if (child.status != thread_status::finished)
            fail(violation_kind::deadlock, "a thread is joined that is not over", site);
        return;
    }
    me.joined = number;
    while (child.status != thread_status::finished) {
        me.status = thread_status::joining;
        stacks_.suspend();
    }
    me.happened.join(child.happened);
    me.prefix.join(child.prefix);
    const auto index = static_cast<std::size_t>(number);
    me.happened[index] = std::max<std::uint16_t>(me.happened[index], static_cast<std::uint16_t>(child.next + 1));
    step(site);
    if (tracing_) {
        const harness_scope harness;
        record("join", site, nullptr)->note = "thread " + std::to_string(number);
    }
}

void graph_memory::give_up(std::string_view what) {
    const harness_scope harness;
    met_.refused = what;
    met_.refused += " is not supported";
}

void graph_memory::note_limit(std::string_view what, site_id site) {
    const harness_scope harness;
    std::string place;
    if (site != no_site) {
        const site_key& where = sites().at(site).key;
        place = where.file + ":" + std::to_string(where.line);
    }
    met_.add_limit(std::string(what), place);
}

void graph_memory::refuse(std::string_view what, site_id site) {
    self().guess.active = false;
    {
        const harness_scope harness;
        met_.refused = what;
        if (site != no_site) {
            const site_key& where = sites().at(site).key;
            met_.refused += " (" + where.file + ":" + std::to_string(where.line) + ")";
        }
        met_.refused += " is not supported";
    }
    leave();
    leave_fiber();
}

}  // namespace ordeal::graph
