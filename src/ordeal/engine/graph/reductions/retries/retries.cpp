// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/retries/retries.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

// Records where the thread of the probe stands. Memory is compared, so it first waits until the whole graph was run and
// every other thread is at its next event.
void retries::record_end_of_probe(const operation_point& at) {
    const thread_state& me = run_.self();
    if (probe_->thread_id != run_.thread_id) return;
    if (me.next == probe_->first) probe_->done_before = me.done;
    if (me.next != probe_->events) return;
    while (!run_.replayed()) scheduling_points_.stand_aside();
    probe_->reached = {
        thread_fingerprints_.take(thread_fingerprint::extent::all, me.loop_visits.back().where, at.caller, at.given),
        me, effects_since(*probe_), me.done.lives};
    run_end_.abandon();
}

// Each life that has begun counts twice there: as an effect, and in `locks`, which has every effect.
std::uint64_t retries::effects_since(const retry_probe& probe) const {
    const thread_effects& now = run_.self().done;
    const thread_effects& before = probe.done_before;
    const auto notifications = std::ranges::count_if(run_.notifications, [&](const notification& each) {
        return each.thread_id == probe.thread_id && each.index > probe.first;
    });
    return (now.effects - before.effects) + (now.locks - before.locks) - 2 * (now.begun - before.begun) +
           static_cast<std::uint64_t>(notifications);
}

// A redundant retry blocks its thread until a revisit changes its last read. If none can, the graph leads to no
// execution.
reduction::action retries::judge_retry() {
    if (!run_.strategy->explores()) return action::goes_on;
    const event_id read = run_.self().path.back();
    retry_status& status = (*run_.graph)[read].read().retry;
    if (status == retry_status::unknown && enabled() && run_.replayed()) {
        retry_question asked{read, earlier_read(), follows_a_read()};
        if (!asked.earlier && !asked.follows_read) return action::goes_on;
        asked.hash = hash_of_question(asked);
        const auto known = known_.find(asked.hash);
        if (known == known_.end()) {
            question_ = asked;
            return action::abandons;
        }
        status = known->second ? retry_status::redundant : retry_status::needed;
        if (status == retry_status::redundant && run_.graph->is_unrevisitable(read)) return action::abandons;
    }
    return status == retry_status::redundant ? action::blocks : action::goes_on;
}

// Only the porf prefix of the read is hashed: nothing else can change the answer, see retry_probes::is_redundant().
question_hash retries::hash_of_question(const retry_question& asked) const {
    const execution_graph& graph = *run_.graph;
    const view& porf = run_.views[asked.read].porf;
    const auto name = [&](event_id id) { return name_of(graph, id); };
    const std::uint64_t what = hash_of_number(name(asked.read), name(asked.earlier.value_or(initial_write)));
    question_hash result{hash_of_number(what, asked.follows_read ? 1 : 2),
                         hash_of_number(what, asked.follows_read ? 3 : 4)};
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        if (i != asked.read && !porf.contains(each)) continue;
        const std::uint64_t rf = each.is_read() ? name(each.read().rf) : each.value();
        const auto kind = static_cast<std::uint64_t>(each.kind()) << 16 | std::uint64_t{each.variant()} << 8 |
                          (each.is_spurious() ? 2U : 0U) | (each.is_rmw() ? 1U : 0U);
        for (std::uint64_t* of : {&result.first, &result.second}) {
            std::uint64_t hash = of == &result.first ? 5 : 6;
            for (const std::uint64_t part : {name(static_cast<event_id>(i)), kind, std::uint64_t{each.where}, rf})
                hash = hash_of_number(part, hash);
            *of += hash;
        }
    }
    return result;
}

// The read after which the thread stood where it stands now. `loop_visits` is emptied by any effect that others could
// see, so the thread has had none since.
std::optional<event_id> retries::earlier_read() const {
    const thread_state& me = run_.self();
    const thread_fingerprint& now = me.loop_visits.back();
    const event& read = (*run_.graph)[me.path.back()];
    for (std::size_t i = me.loop_visits.size() - 1; i-- > 0;) {
        const event_index number = me.loop_visits[i].event;
        const thread_fingerprint& next = me.loop_visits[i + 1];
        if (number + 1 >= me.next || next.event != number + 1 || next.where != now.where) continue;
        const event_id id = me.path[number];
        const event& earlier = (*run_.graph)[id];
        if (earlier.where != read.where || earlier.bytes != read.bytes) continue;
        if (!only_reads(number) || earlier.read().rf == read.read().rf) return std::nullopt;
        return id;
    }
    return std::nullopt;
}

bool retries::follows_a_read() const {
    const thread_state& me = run_.self();
    const auto before = static_cast<event_index>(me.next - 2);
    const auto rf = [&](event_index number) { return (*run_.graph)[me.path[number]].read().rf; };
    return only_reads(before) && rf(before) != rf(static_cast<event_index>(before + 1));
}

// A read of another atomic would also check that object's lifetime, which the execution without the iteration does not.
bool retries::only_reads(event_index first) const {
    const thread_state& me = run_.self();
    const event& last = (*run_.graph)[me.path.back()];
    return std::all_of(me.path.begin() + first, me.path.end(), [&](event_id id) {
        const event& each = (*run_.graph)[id];
        return each.is_read() && each.where == last.where && each.bytes == last.bytes && !each.is_spurious() &&
               !may_block(each.read().form) && !each.read().wakes;
    });
}

}  // namespace ordeal::detail::graph
