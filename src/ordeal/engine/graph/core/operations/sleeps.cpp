// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/sleeps.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

void sleeps::sleep(std::uint64_t nanoseconds, site_id site) {
    operation_accounting_.enter();
    if (run_.single_threaded()) {
        operation_accounting_.step(site);
        run_.time += nanoseconds;
        recorder_.record(nullptr, site, nullptr);
        return;
    }
    run_end_.need_locks();
    thread_state& me = run_.self();
    me.wakes_at = run_.time + nanoseconds;
    scheduling_points_.await_schedule();
    operation_accounting_.step(site);
    go_on(site);
    recorder_.record(nullptr, site, nullptr);
}

wait_timeout::kind sleeps::await(const object& queue, read_form how, const wait_timeout& limit, site_id site) {
    using enum wait_timeout::kind;
    if (!passes() || limit.when != pending) return limit.when;
    thread_state& me = run_.self();
    me.wakes_at = run_.time + limit.distance;
    bool comes = false;
    if (run_.at_end(me)) {
        me.needed = enabling_condition{queue.name_of, queue.initial, how};
        scheduling_points_.await_schedule();
        me.needed.reset();
        comes = me.time_is_up;
    } else {
        comes = (*run_.graph)[me.path[me.next]].kind() == event_kind::fence;
        if (comes) scheduling_points_.await_turn();
    }
    if (comes) {
        go_on(site);
    } else {
        me.wakes_at.reset();
    }
    return comes ? expired : none;
}

void sleeps::go_on(site_id site) {
    thread_state& me = run_.self();
    run_.time = std::max(run_.time, *me.wakes_at);
    me.wakes_at.reset();
    me.time_is_up = false;
    search_facts_.late_timeouts = true;
    const event_id id = memory_.next_event(me, event_kind::fence, site);
    memory_.finish_without_access(me, id, site);
    run_.time_came = id;
}

}  // namespace ordeal::detail::graph
