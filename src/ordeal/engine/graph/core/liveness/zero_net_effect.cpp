// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

std::optional<event_index> zero_net_effect::begin_of_iteration(const thread_state& of) noexcept {
    if (const auto* const loop = of.blocked_as<blocked::by_spinloop>()) return loop->last.begin;
    const blocked::by_redundant_wake_up* wait = of.blocked_as<blocked::by_redundant_wake_up>();
    if (wait == nullptr) wait = of.blocked_as<blocked::by_redundant_timed_wait>();
    return wait != nullptr && wait->last.writes ? std::optional(wait->last.wake_up()) : std::nullopt;
}

template <class Function>
void zero_net_effect::for_each_write(event_index first, Function function) const {
    for (event_index i = first; i < by_.next; ++i) {
        if (at(i).is_write() && at(i).where == at(first).where) function(i);
    }
}

bool zero_net_effect::is_first(event_index number) const {
    if (!at(number).is_write()) return false;
    for (event_index i = begin_; i < number; ++i) {
        if (at(i).is_write() && at(i).where == at(number).where) return false;
    }
    return true;
}

bool zero_net_effect::all() const {
    for (event_index i = begin_; i < by_.next; ++i) {
        if (is_first(i) && !is_undone(i)) return false;
    }
    return true;
}

bool zero_net_effect::is_undone(event_index first) const {
    const std::optional<event_id> before = write_before(first);
    return before && (is_block(first, *before) || adds_nothing(first)) && releases_as(*before, first);
}

// It is known what a read-modify-write replaces. A store that gives a lock back replaces what took it: nobody else
// writes to it in between.
std::optional<event_id> zero_net_effect::write_before(event_index first) const {
    if (at(first).is_rmw()) return first > begin_ ? std::optional(run_.read_before(at(first)).read().rf) : std::nullopt;
    const object* const where = run_.object_at(at(first).where);
    if (where == nullptr || where->kind != object_kind::mutex) return std::nullopt;
    for (event_index i = begin_; i-- > 0;) {
        if (at(i).is_write() && at(i).where == at(first).where) return by_.path[i];
    }
    return std::nullopt;
}

// A relaxed store in place of what was there would end its release sequence.
bool zero_net_effect::releases_as(event_id before, event_index first) const {
    event_index last = first;
    for_each_write(first, [&](event_index i) { last = i; });
    return before == initial_write || run_.views[by_.path[last]].release.includes(run_.views[before].release);
}

bool zero_net_effect::is_block(event_index first, event_id before) const {
    const object* const where = run_.object_at(at(first).where);
    if (where == nullptr) return false;
    bool adjacent = true;
    event_index last = first;
    for_each_write(first, [&](event_index i) {
        adjacent &= i == first || at(i).write().co == at(last).write().co + 1;
        last = i;
    });
    return adjacent && at(last).write().value == run_.value_of(before, *where);
}

bool zero_net_effect::adds_nothing(event_index first) const {
    const object* const where = run_.object_at(at(first).where);
    if (where == nullptr) return false;
    bool adds = true;
    unsigned bits = 0;
    std::uint64_t sum = 0;
    for_each_write(first, [&](event_index i) {
        const event& read = at(static_cast<event_index>(i - 1));
        adds = adds && at(i).is_rmw() && read.read().added_bytes != 0;
        if (!adds) return;
        bits = read.read().added_bytes * 8U;
        sum += at(i).write().value - run_.value_of(read.read().rf, *where);
    });
    return adds && bits != 0 && sum << (64U - bits) == 0;
}

// By another thread, or by this one before.
bool zero_net_effect::is_left_out(const event& each) const {
    const thread_state& other = run_.of(each.thread_id);
    if (&other == &by_) return true;
    const auto begin = begin_of_iteration(other);
    return begin && each.index >= *begin;
}

// It only adds, and without the iteration adds the same to something else.
bool zero_net_effect::only_adds(const event& each) const {
    const event* const read = each.is_read() ? &each : each.is_rmw() ? &run_.read_before(each) : nullptr;
    return read != nullptr && read->read().added_bytes != 0 && read->read().result_unused;
}

bool zero_net_effect::observed() const {
    for (event_index first = begin_; first < by_.next; ++first) {
        if (!is_first(first)) continue;
        event_index last = first;
        for_each_write(first, [&](event_index i) { last = i; });
        const coherence_position begin = at(first).write().co;
        const coherence_position end = at(last).write().co;
        const bool adds = adds_nothing(first);
        const auto depends = [&](const event& each) {
            if (each.where != at(first).where || is_left_out(each)) return false;
            // In the middle of a block, what it adds is overwritten.
            if (only_adds(each) && adds) return false;
            if (each.is_write()) return each.write().co > begin && each.write().co < end;
            const coherence_position seen = run_.graph->co_of(each.read().rf);
            return each.is_read() && seen >= begin && seen < end;
        };
        if (std::ranges::any_of(run_.graph->events(), depends)) return true;
    }
    return false;
}

}  // namespace ordeal::detail::graph
