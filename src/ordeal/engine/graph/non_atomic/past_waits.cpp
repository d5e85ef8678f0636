// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/past_waits.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

// Whether the read at this place of a thread reveals anything of the write that it reads from. One of a condition
// variable, or of the wait queue of a futex (which is no object), does not: no thread learns in which order others came
// there. Nor does a failed try_lock, which could have failed spuriously.
bool past_waits::is_seen(const std::vector<event_id>& path, std::size_t place) const {
    const event& read = (*run_.graph)[path[place]];
    if (read.read().form == read_form::try_lock || read.read().form == read_form::try_lock_shared)
        return place + 1 < path.size() && (*run_.graph)[path[place + 1]].is_rmw();
    const object* const of = run_.object_at(read.where);
    return of != nullptr && of->kind != object_kind::condition;
}

// The porf prefix of the running thread, without reads that reveal nothing.
void past_waits::find_needed() {
    bool more = true;
    const auto need = [&](std::size_t thread, std::size_t events) {
        more |= needed_[thread] < events;
        needed_[thread] = std::max(needed_[thread], static_cast<event_index>(events));
    };
    for (std::size_t i = 0; i < needed_.size(); ++i) needed_[i] = run_.self().hb[i];
    needed_[run_.index()] = run_.self().next;
    std::array<event_index, max_thread_ids> looked_at{};
    while (more) {
        more = false;
        for (const int thread_id : run_.order()) {
            const auto number = static_cast<std::size_t>(thread_id);
            const std::vector<event_id>& path = run_.of(thread_id).path;
            const auto end = std::min<std::size_t>(needed_[number], path.size());
            if (looked_at[number] == end) continue;
            const view& known = run_.views[path[end - 1]].hb;
            for (std::size_t other = 0; other < view::lanes(); ++other) need(other, known[other]);
            for (event_index& i = looked_at[number]; i < end; ++i) {
                const event& each = (*run_.graph)[path[i]];
                if (!each.reads_event() || !is_seen(path, i)) continue;
                const event& write = (*run_.graph)[each.read().rf];
                need(write.thread_id, write.index + std::size_t{1});
            }
        }
    }
}

const std::array<event_index, max_thread_ids>& past_waits::known() {
    const thread_state& me = run_.self();
    const bool is_there = found_at_ && found_at_->thread_id == run_.thread_id && found_at_->events == me.next &&
                          found_at_->hb.includes(me.hb);
    if (!is_there) find_needed();
    found_at_ = {run_.thread_id, me.next, me.hb};
    return needed_;
}

// Whether more is needed than that the wait has ended: its end is a read and a write, and on a condition variable it
// takes the mutex, too.
bool past_waits::waited_between(int thread_id, event_index ordered, event_index needed) const {
    const std::vector<event_id>& path = run_.of(thread_id).path;
    for (std::size_t i = ordered; i < std::min<std::size_t>(needed, path.size()); ++i) {
        const event& each = (*run_.graph)[path[i]];
        if (!each.is_read() || !may_end_spuriously(each.read().form)) continue;
        const bool on_condition = each.read().form == read_form::wake_up;
        const std::size_t end = on_condition ? wait_events::count - wait_events::wakes_up : 2U;
        if (i + end < needed) return true;
    }
    return false;
}

}  // namespace ordeal::detail::graph
