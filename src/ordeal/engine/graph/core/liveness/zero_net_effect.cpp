// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

template <class Condition>
bool zero_net_effect::some_location(Condition condition) const {
    for (event_index first = begin_; first < by_.next; ++first) {
        if (!at(first).is_write()) continue;
        const location where = at(first).where;
        bool known = false;
        for (event_index i = begin_; i < first && !known; ++i) known = writes_to(i, where);
        if (known) continue;
        event_index last = by_.next;
        while (!writes_to(--last, where)) {
        }
        if (condition(written{run_.object_at(where), first, last})) return true;
    }
    return false;
}

template <class Condition>
bool zero_net_effect::all_writes(const written& of, Condition condition) const {
    for (event_index i = of.first; i <= of.last; ++i) {
        if (writes_to(i, at(of.first).where) && !condition(i)) return false;
    }
    return true;
}

bool zero_net_effect::holds() const {
    return !some_location([&](const written& each) { return !is_restored(each); });
}

bool zero_net_effect::is_restored(const written& of) const {
    if (of.target == nullptr && !at(of.first).write().of_waiters) return false;
    const std::optional<event_id> before = write_before(of);
    return before && (is_block(of, *before) || adds_zero(of)) && releases_as(*before, of);
}

bool zero_net_effect::is_stored(const written& of) const {
    return of.target != nullptr && of.target->kind == object_kind::atomic && !at(of.first).is_rmw();
}

// What a read-modify-write has replaced, it replaces in every graph that follows. A store comes directly after another
// write in coherence as long as no third one is placed between them.
std::optional<event_id> zero_net_effect::write_before(const written& of) const {
    const event& first = at(of.first);
    if (first.is_rmw()) return of.first > begin_ ? std::optional(run_.read_before(first).read().rf) : std::nullopt;
    if (of.target == nullptr) return std::nullopt;
    return run_.graph->co_before(by_.path[of.first]);
}

// The queue of a futex is no object of the program, and empty at first.
std::uint64_t zero_net_effect::value_of(event_id write, const written& of) const {
    if (of.target != nullptr) return run_.value_of(write, *of.target);
    return write == initial_write ? 0 : (*run_.graph)[write].write().value;
}

// A relaxed store in place of what was there would end its release sequence.
bool zero_net_effect::releases_as(event_id before, const written& of) const {
    return before == initial_write ||
           run_.views[by_.path[of.last]].message_view.includes(run_.views[before].message_view);
}

bool zero_net_effect::is_block(const written& of, event_id before) const {
    coherence_position next = at(of.first).write().co;
    const bool adjacent = all_writes(of, [&](event_index i) { return at(i).write().co == next++; });
    return adjacent && at(of.last).write().value == value_of(before, of);
}

bool zero_net_effect::adds_zero(const written& of) const {
    unsigned bits = 0;
    std::uint64_t sum = 0;
    const bool adds = all_writes(of, [&](event_index i) {
        if (!at(i).is_rmw() || run_.read_before(at(i)).read().added_bytes == 0) return false;
        const read_data& read = run_.read_before(at(i)).read();
        bits = read.added_bytes * 8U;
        sum += at(i).write().value - value_of(read.rf, of);
        return true;
    });
    return adds && sum << (64U - bits) == 0;
}

// By another thread, or by this one before.
bool zero_net_effect::is_left_out(const event& each) const {
    const thread_state& other = run_.of(each.thread_id);
    if (&other == &by_) return true;
    const auto from = undone_from(other);
    return from && each.index >= *from;
}

// It only adds, and without the iteration adds the same to something else.
bool zero_net_effect::only_adds(const event& each) const {
    const event* const read = each.is_read() ? &each : each.is_rmw() ? &run_.read_before(each) : nullptr;
    return read != nullptr && read->read().added_bytes != 0 && read->read().result_unused;
}

// Whether a write that differs from the iteration's last one has been placed directly before the first one, a store.
bool zero_net_effect::replaces_another_write(const written& of) const {
    if (!is_stored(of)) return false;
    const event_id before = run_.graph->co_before(by_.path[of.first]);
    if (value_of(before, of) != at(of.last).write().value) return true;
    const bool is_run = before == initial_write || run_.views[before].done;
    return is_run && !releases_as(before, of);
}

std::optional<event_id> zero_net_effect::overwritten_again() const {
    std::optional<event_id> result;
    (void)some_location([&](const written& of) {
        const event_id newest = run_.graph->co_max(at(of.first).where);
        const bool differs = is_stored(of) && value_of(newest, of) != at(of.last).write().value;
        if (differs) result = newest;
        return differs;
    });
    return result;
}

bool zero_net_effect::observed() const {
    return some_location([&](const written& of) {
        if (replaces_another_write(of)) return true;
        const coherence_position begin = at(of.first).write().co;
        const coherence_position end = at(of.last).write().co;
        const bool adds = of.target != nullptr && adds_zero(of);
        return std::ranges::any_of(run_.graph->events(), [&](const event& each) {
            if (each.where != at(of.first).where || is_left_out(each)) return false;
            // In the middle of a block, what it adds is overwritten.
            if (adds && only_adds(each)) return false;
            if (each.is_write()) return each.write().co > begin && each.write().co < end;
            const coherence_position seen = run_.graph->co_of(each.read().rf);
            return each.is_read() && seen >= begin && seen < end;
        });
    });
}

}  // namespace ordeal::detail::graph
