// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/liveness/woken_waits.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

/// Assigns each item one of its possible places, no place twice: bipartite matching (Kuhn's algorithm).
class matching {
public:
    /// Returns whether this one can be matched too; others may be moved.
    bool add(std::vector<std::size_t> possible) {
        possible_.push_back(std::move(possible));
        std::set<std::size_t> tried;
        return place(possible_.size() - 1, tried);
    }

private:
    bool place(std::size_t which, std::set<std::size_t>& tried) {
        for (const std::size_t each : possible_[which]) {
            if (!tried.insert(each).second) continue;
            const auto taken = taken_by_.find(each);
            if (taken != taken_by_.end() && !place(taken->second, tried)) continue;
            taken_by_[each] = which;
            return true;
        }
        return false;
    }

    std::vector<std::vector<std::size_t>> possible_;
    std::map<std::size_t, std::size_t> taken_by_;
};

}  // namespace

/// Matches each of some notifications to a blocking of its own, and so each notification that would otherwise have
/// ended a given blocking.
class woken_waits::notification_matching {
public:
    using set = std::set<std::size_t>;

    notification_matching(const woken_waits& all, const std::vector<atomic_wait>& waits) : all_(all), waits_(waits) {}

    /// Returns whether all of these can have ended some blocking not in `taken`. The newest comes first: the others
    /// that its blocking requires are older.
    bool all_taken(set calls, const set& taken) {
        if (calls.empty()) return true;
        if (!tried_.emplace(calls, taken).second) return false;
        const std::size_t newest = *calls.rbegin();
        calls.erase(newest);
        for (const woken_block& each : blocks_of(newest)) {
            if (taken.contains(each.blocked_on)) continue;
            set others = calls;
            others.insert(each.others.begin(), each.others.end());
            set also = taken;
            also.insert(each.blocked_on);
            if (all_taken(std::move(others), also)) return true;
        }
        return false;
    }

private:
    const std::vector<woken_block>& blocks_of(std::size_t call) {
        const auto known = blocks_.find(call);
        return known != blocks_.end() ? known->second
                                      : blocks_.emplace(call, all_.blocks_ended_by(call, waits_)).first->second;
    }

    const woken_waits& all_;
    const std::vector<atomic_wait>& waits_;
    std::map<std::size_t, std::vector<woken_block>> blocks_;
    std::set<std::pair<set, set>> tried_;  ///< without success
};

// [atomics.wait]: a wait that blocked after observing X is eligible to be unblocked by a notification if some Y after X
// in modification order happens before the notification. This is the position of the last such Y.
coherence_position woken_waits::newest_known(const notification& call, const event& read) const {
    coherence_position result = 0;
    for (const event& each : run_.graph->events()) {
        if (each.where != call.where || !each.is_write() || !each.bytes.overlaps(read.bytes)) continue;
        if (call.hb.contains(each)) result = std::max(result, each.write().co);
    }
    return result;
}

// Whether the first of two notifications precedes the second in every run of the graph.
bool woken_waits::precedes(std::size_t first, std::size_t second) const {
    if (first >= second) return false;  // they are recorded in the order of the run
    const notification& earlier = run_.notifications[first];
    const notification& later = run_.notifications[second];
    return earlier.thread_id == later.thread_id || later.porf.contains(earlier);
}

// The porf prefix of a wait when it blocks on the value at this position.
view woken_waits::before_blocking(const view& began, event_id on) const {
    view result = began;
    if (on != initial_write) result.join(run_.views[on].porf);
    return result;
}

// The value, by its position in coherence, on which a wait had blocked that later returned or blocked again, if this
// notification may have ended that: it precedes the notified store, and everything that the wait read afterwards does
// not. Nothing: the notification woke another wait, or none.
std::optional<coherence_position> woken_waits::block_ended_by(const notification& call, const atomic_wait& wait) const {
    const event& read = (*run_.graph)[wait.read];
    if (!call.is_for(read)) return std::nullopt;
    // It had returned before the notification, or began after it.
    if (call.porf.contains(read) || wait.began.contains(call)) {
        return std::nullopt;
    }
    const coherence_position known = newest_known(call, read);
    if (run_.graph->co_of(read.read().rf) < known) return std::nullopt;
    const object* const of = run_.object_at(read.where);
    if (of == nullptr) return std::nullopt;
    const coherence_position bound = run_.graph->coherence_bound(read.where, run_.views[wait.read].hb_before_acquire);
    std::vector<event_id> order;
    run_.graph->coherence(read.where, order);
    for (coherence_position co = known; co-- > bound;) {
        if (read.bytes.of(run_.value_of(order[co], *of)) != wait.old) continue;
        if (!before_blocking(wait.began, order[co]).contains(call)) return co;
    }
    return std::nullopt;
}

// The blockings that a notification may have ended. Each earlier notification that knew a newer write could have ended
// such a blocking too. So those must have woken others, which is impossible for a notify_all().
std::vector<woken_waits::woken_block> woken_waits::blocks_ended_by(std::size_t call,
                                                                   const std::vector<atomic_wait>& waits) const {
    std::vector<woken_block> result;
    std::vector<event_id> order;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const auto co = block_ended_by(run_.notifications[call], waits[i]);
        if (!co) continue;
        const location where = run_.notifications[call].where;
        const event& read = (*run_.graph)[waits[i].read];
        run_.graph->coherence(where, order);
        const view before = before_blocking(waits[i].began, order[*co]);
        woken_block blocked_on{i * max_events + *co, {}};
        bool possible = true;
        for (std::size_t each = 0; each < call; ++each) {
            const notification& earlier = run_.notifications[each];
            if (!earlier.is_for(read) || !precedes(each, call) || newest_known(earlier, read) <= *co) continue;
            // If the blocking began after that notification, the wait could not have blocked on this value.
            if (earlier.all || before.contains(earlier)) possible = false;
            blocked_on.others.push_back(each);
        }
        if (possible) result.push_back(std::move(blocked_on));
    }
    return result;
}

// The atomic waits that returned, and the blocked ones, which may have blocked before.
std::vector<atomic_wait> woken_waits::all_waits() const {
    std::vector<atomic_wait> result = run_.returned_waits;
    for (const int thread_id : run_.order()) {
        const auto* const each = run_.of(thread_id).blocked_as<blocked::by_wait>();
        if (each == nullptr) continue;
        const event& read = (*run_.graph)[each->read];
        const object* const of = run_.object_at(read.where);
        if (of != nullptr)
            result.push_back({each->read, read.bytes.of(run_.value_of(read.read().rf, *of)), each->began});
    }
    return result;
}

// Whether it makes a wait eligible that blocked after this read.
bool woken_waits::is_for(const notification& call, event_id read) const {
    const event& observed = (*run_.graph)[read];
    return call.is_for(observed) && newest_known(call, observed) > run_.graph->co_of(observed.read().rf);
}

// A wait that began after the notification would have read what was stored before the notification.
bool woken_waits::surely_notified(const blocked::by_wait& waiter) const {
    const view before = before_blocking(waiter.began, (*run_.graph)[waiter.read].read().rf);
    return std::ranges::any_of(run_.notifications, [&](const notification& call) {
        return is_for(call, waiter.read) && (call.all || before.contains(call));
    });
}

bool woken_waits::notified(const blocked::by_wait& waiter) const {
    if (surely_notified(waiter)) return true;
    const std::vector<atomic_wait> waits = all_waits();
    matching matched;
    notification_matching::set calls;
    for (std::size_t i = 0; i < run_.notifications.size(); ++i) {
        if (!is_for(run_.notifications[i], waiter.read)) continue;
        std::vector<std::size_t> possible;
        for (woken_block& each : blocks_ended_by(i, waits)) possible.push_back(each.blocked_on);
        if (!matched.add(std::move(possible))) return true;  // quickly decided, and the most frequent case
        calls.insert(i);
    }
    return !notification_matching(*this, waits).all_taken(std::move(calls), {});
}

}  // namespace ordeal::detail::graph
