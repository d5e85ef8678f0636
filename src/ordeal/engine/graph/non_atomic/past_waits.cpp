// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/non_atomic/past_waits.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

// Whether a read reveals anything of the write that it reads from. One of a condition variable, or of the wait queue of
// a futex (which is no object), does not: no thread learns in which order others came there. Nor does a failed
// try_lock, which could have failed spuriously; a successful one is ordered after the unlock.
bool past_waits::is_seen(const event& read) const {
    if (read.form == read_form::try_lock || read.form == read_form::try_lock_shared) return false;
    const object* const of = run_.object_at(read.where);
    return of != nullptr && of->kind != object_kind::condition;
}

// The porf prefix of the running thread, without reads that reveal nothing.
void past_waits::find_needed() {
    needed_ = {};
    needed_[run_.index()] = run_.self().next;
    std::array<event_index, max_thread_ids> looked_at{};
    for (bool more = true; more;) {
        more = false;
        for (const int thread_id : run_.order()) {
            const auto number = static_cast<std::size_t>(thread_id);
            for (event_index& i = looked_at[number]; i < needed_[number]; ++i) {
                const event& each = (*run_.graph)[run_.of(thread_id).path[i]];
                if (each.kind != event_kind::read || each.rf == initial_write || !is_seen(each)) continue;
                const event& write = (*run_.graph)[each.rf];
                event_index& needed = needed_[write.thread_id];
                more |= needed <= write.index;
                needed = std::max(needed, static_cast<event_index>(write.index + 1));
            }
        }
    }
}

// Whether more is needed than that the wait has ended: its end is a read and a write, and on a condition variable it
// takes the mutex, too.
bool past_waits::waited_between(int thread_id, event_index ordered, event_index needed) const {
    const std::vector<event_id>& path = run_.of(thread_id).path;
    for (std::size_t i = ordered; i < needed; ++i) {
        const event& each = (*run_.graph)[path[i]];
        if (each.kind != event_kind::read || !may_end_spuriously(each.form)) continue;
        if (i + (each.form == read_form::wake_up ? 4U : 2U) < needed) return true;
    }
    return false;
}

bool past_waits::is_past_one() {
    const thread_state& me = run_.self();
    if (!run_.some_waited || me.hb.includes(me.porf)) return false;
    find_needed();
    return std::ranges::any_of(run_.order(), [&](int other) {
        const auto number = static_cast<std::size_t>(other);
        return other != run_.thread_id && waited_between(other, me.hb[number], needed_[number]);
    });
}

}  // namespace ordeal::detail::graph
