// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/liveness/liveness.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace ordeal::detail::graph {

namespace {

/// A visitor with one function for each reason.
template <class... Case>
struct cases : Case... {
    using Case::operator()...;
};

// The last iteration of a thread in a loop that has returned to an earlier state, and would go on; else null.
const iteration* endless_iteration(const thread_state& thread) noexcept {
    const auto* const why = thread.blocked_as<blocked::by_spinloop>();
    return why != nullptr && why->goes_on ? &why->last : nullptr;
}

}  // namespace

// Whether a read reads from the co-maximal write, so that no later write can unblock its thread.
bool liveness::reads_co_max(event_id read) const {
    const event& each = (*run_.graph)[read];
    return run_.graph->co_max(each.where) == each.read().rf;
}

// Whether another thread waits for a lock that each iteration of this one makes available. What had notified a thread
// when the iteration was made has ended an earlier wait.
bool liveness::enables_lock_waiter(const thread_state& looping, event_index iteration_begin) const {
    return std::ranges::any_of(run_.threads, [&](const thread_state& other) {
        const auto* const why = other.blocked_as<blocked::by_lock>();
        if (why == nullptr) return false;
        const event& waits = (*run_.graph)[why->read];
        const read_form form = waits.read().form;
        return form != read_form::wake_up &&
               std::any_of(looping.path.begin() + iteration_begin, looping.path.end(), [&](event_id id) {
                   const event& each = (*run_.graph)[id];
                   return each.where == waits.where && each.is_write() &&
                          !waits_on(form, each.write().value, waits.thread_id);
               });
    });
}

bool liveness::notified(const thread_state& waiter, location condition) const {
    if (condition == no_location) return false;
    const event_id newest = run_.graph->co_max(condition);  // at least the write that began the wait
    return is_woken((*run_.graph)[newest].write().value, (*run_.graph)[waiter.path.back()].thread_id);
}

bool liveness::blocked_forever(const thread_state& waiter) const {
    // The waiters of a condition variable do not matter to an iteration; whether the thread was notified is checked
    // separately.
    const cases answer{
        [&](const blocked::by_lock& why) { return reads_co_max(why.read); },
        [&](const blocked::by_wait& why) { return !woken_waits_.notified(why); },
        [&](const blocked::by_spinloop& why) {
            if (notified(waiter, why.awaited)) return false;
            return !why.goes_on ||
                   (saw_co_max(waiter, why.last.begin, why.awaited) && !enables_lock_waiter(waiter, why.last.begin) &&
                    !zero_net_effect(run_, waiter, why.last.begin).overwritten_again());
        },
        [&](const blocked::by_iterations& why) { return saw_co_max(waiter, why.begin, no_location); },
        [](const blocked::by_pruning&) { return false; },
        [](const blocked::by_acceptance&) { return false; },
        [](const blocked::by_assumption&) { return false; },
        [](const blocked::by_timed_wait&) { return false; },
        [](const blocked::by_endless_loop&) { return true; },
    };
    return std::visit(answer, waiter.why);
}

// Whether a write belongs to the last iteration of a loop that has returned to an earlier state: it restored the old
// value, or is of a lock that was acquired only to read. `to_taker`: for a thread that takes a lock, also one to the
// lock since the loop has been in that state. Who has taken it in one of the iterations has seen all that there is to
// see in the next.
bool liveness::is_effect_free(const event& made, bool to_taker) const {
    const auto* const loop = run_.of(made.thread_id).blocked_as<blocked::by_spinloop>();
    if (loop == nullptr) return false;
    if (made.index >= loop->last.begin) return true;
    const object* const of = run_.object_at(made.where);
    return to_taker && made.index >= loop->last.same_since && of != nullptr && of->kind == object_kind::mutex;
}

// Whether the co-maximal value differs from one that a thread only read: a lock held in the middle of another
// thread's iteration is free at its end. What its own iteration wrote, and undoes, it will read again.
bool liveness::saw_another_value_than_co_max(const event& read, event_index iteration_begin) const {
    const object* const of = run_.object_at(read.where);
    if (of == nullptr) return false;
    const event_id rf = read.read().rf;
    const auto value = [&](event_id write) { return read.bytes.of(run_.value_of(write, *of)); };
    const event_id written = run_.graph->rmw_write_of(read);
    if (written != initial_write && value(written) != value(rf)) return false;
    if (rf != initial_write && (*run_.graph)[rf].thread_id == read.thread_id &&
        (*run_.graph)[rf].index >= iteration_begin)
        return false;
    return value(run_.graph->co_max(read.where)) != value(rf);
}

// Whether every read of an iteration saw all relevant writes, reads of `besides` aside.
bool liveness::saw_co_max(const thread_state& waiter, event_index iteration_begin, location besides) const {
    std::vector<event_id> order;
    const auto unseen = [&](const event& read) {
        if (saw_another_value_than_co_max(read, iteration_begin)) return true;
        const coherence_position seen = run_.graph->co_of(read.read().rf);
        const bool takes = run_.graph->rmw_write_of(read) != initial_write;
        const auto could_unblock = [&](event_id later) {
            if (later == initial_write) return false;
            const event& write = (*run_.graph)[later];
            return write.bytes.overlaps(read.bytes) && !is_effect_free(write, takes);
        };
        // The graph of a token may have gaps in coherence, and reads of what is now at another location.
        const std::span<const event_id> all = run_.graph->coherence_order(read.where, order);
        return std::ranges::any_of(all.subspan(std::min(seen + std::size_t{1}, all.size())), could_unblock);
    };
    return std::none_of(waiter.path.begin() + iteration_begin, waiter.path.end(), [&](event_id id) {
        const event& each = (*run_.graph)[id];
        return each.is_read() && each.where != besides && unseen(each);
    });
}

bool liveness::two_overwrite_each_other() const {
    return std::ranges::any_of(run_.order(), [&](int thread_id) {
        const iteration* const last = endless_iteration(run_.of(thread_id));
        if (last == nullptr) return false;
        const auto newest = zero_net_effect(run_, run_.of(thread_id), last->begin).overwritten_again();
        if (!newest || *newest == initial_write) return false;
        const event& write = (*run_.graph)[*newest];
        const thread_state& other = run_.of(write.thread_id);
        const iteration* const again = endless_iteration(other);
        return again != nullptr && std::any_of(other.path.begin() + again->begin, other.path.end(), [&](event_id id) {
                   const event& each = (*run_.graph)[id];
                   return each.is_write() && each.where == write.where;
               });
    });
}

bool liveness::all_blocked_forever() const {
    const harness_scope harness;
    if (some_blocked_as<blocked::by_endless_loop>()) return true;
    for (const int thread_id : run_.order()) {
        const thread_state& each = run_.of(thread_id);
        if (each.status == thread_status::blocked && !blocked_forever(each)) return false;
    }
    return true;
}

bool liveness::waits_for_clock() const {
    return std::ranges::any_of(run_.threads, [](const thread_state& each) {
        const iteration* const last = endless_iteration(each);
        return last != nullptr && last->polls_clock;
    });
}

std::string liveness::message() const {
    if (kind() == violation_kind::deadlock) return "every unfinished thread waits for ever";
    if (!some_blocked_as<blocked::by_endless_loop>())
        return "a loop never ends: no thread writes the value that it waits for";
    return "a loop never ends: more than " + std::to_string(most_accesses_) + " non-atomic accesses";
}

std::optional<stuck_thread> liveness::stuck(int thread_id) const {
    constexpr auto nothing = [] { return stuck_thread{"", false}; };
    const auto notification = [&](location condition) {
        const object* const of = condition == no_location ? nullptr : run_.object_at(condition);
        return stuck_thread{"waits for a notification of", true, of == nullptr ? 0 : of->where.address};
    };
    const auto loop = [&] {
        stuck_thread result{"loops, reading", true};
        for (event_index i = run_.of(thread_id).next; i-- > 0 && result.of == 0;) {
            const event& each = (*run_.graph)[run_.of(thread_id).path[i]];
            const object* const read = each.is_read() ? run_.object_at(each.where) : nullptr;
            if (read != nullptr) result.of = read->where.address;
        }
        return result;
    };
    constexpr auto release = [] { return stuck_thread{"waits for a release of", true}; };
    constexpr auto held_by_another = [] { return stuck_thread{"waits for", true}; };
    const thread_state& thread = run_.of(thread_id);
    if (thread.arrivals) return stuck_thread{"waits for more arrivals at", true};
    if (thread.departures) return stuck_thread{"waits until others have left", true};
    if (thread.status == thread_status::joining)
        return stuck_thread{"joins thread " + std::to_string(run_.number_of(thread.joined)) + ", which does not end",
                            false};
    if (thread.status != thread_status::blocked) return std::nullopt;
    const cases answer{
        [&](const blocked::by_lock& why) {
            return (*run_.graph)[why.read].read().form == read_form::acquire ? release() : held_by_another();
        },
        [&](const blocked::by_wait&) { return notification(no_location); },
        [&](const blocked::by_spinloop& why) {
            return why.awaited == no_location ? loop() : notification(why.awaited);
        },
        [&](const blocked::by_iterations&) { return loop(); },
        [&](const blocked::by_pruning&) { return nothing(); },
        [&](const blocked::by_acceptance&) { return nothing(); },
        [&](const blocked::by_assumption&) { return nothing(); },
        [&](const blocked::by_timed_wait&) { return held_by_another(); },
        [](const blocked::by_endless_loop&) { return stuck_thread{"loops without an atomic access", false}; },
    };
    return std::visit(answer, thread.why);
}

violation_kind liveness::kind() const {
    const bool iterating =
        std::ranges::any_of(run_.threads, [](const thread_state& each) { return endless_iteration(each) != nullptr; });
    return iterating || some_blocked_as<blocked::by_endless_loop>() ? violation_kind::livelock
                                                                    : violation_kind::deadlock;
}

}  // namespace ordeal::detail::graph
