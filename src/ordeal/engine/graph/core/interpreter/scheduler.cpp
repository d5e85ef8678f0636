// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/interpreter/scheduler.hpp"

#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

bool scheduler::some_unfinished() const noexcept {
    return std::ranges::any_of(run_.order(), [&](int thread_id) { return run_.of(thread_id).is_alive(); });
}

void scheduler::run_on(int thread_id) {
    run_.thread_id = thread_id;
    run_.changed[run_.index()] = true;
    thread_visits_.note_resumed();
    ++run_.resumed;
    detail::code_on_trial_runs = true;  // whatever the fiber before left in the middle of
    detail::usable_stack = fibers_.usable(thread_id);
    fibers_.resume(thread_id);
    thread_visits_.note_suspended();
    run_.thread_id = main_thread_id;
}

void scheduler::enter_threads(bool may_be_single_threaded) {
    run_.before_others = may_be_single_threaded && std::ranges::count_if(run_.order(), [&](int thread_id) {
                                                       return run_.thread_ids->is_fixed(thread_id);
                                                   }) == 1;
    for (const int thread_id : run_.order()) {
        run_.of(thread_id).hb[main_thread_id] = run_.of(thread_id).fork_join_hb[main_thread_id] = 1;
    }
    run_.changed.fill(true);
}

// What all threads did happens before what follows.
void scheduler::leave_threads() {
    run_.leave_single_threaded();
    run_.finishing = true;
    run_.put_all_before(main_thread_id);
}

// A thread that has more of the graph to run comes first. Then the leftmost one that stands at a new operation, but a
// read-modify-write is completed before all else, and a disabled thread comes after all others.
int scheduler::next_thread() {
    if (run_.runs_without_others()) run_end_.abandon_run();  // the thread has gone as far as it goes
    if (run_end_.abandoned()) return -1;
    // A thread that has joined others goes on without a new event.
    if (run_.graph->future_reads && run_.replayed() && !is_consistent()) return -1;
    const int in_graph = next_in_graph();
    if (in_graph != -1) return in_graph;
    return may_extend_graph() ? run_.chosen = choose_frontier_thread() : -1;
}

// Whether all of the graph was run, and it is an execution so far.
bool scheduler::may_extend_graph() {
    if (run_.replayed()) {
        if (!is_consistent()) return false;
        if (!run_end_.has_put_off()) return true;
        run_end_.judge_put_off(true);
    } else if (run_end_.has_put_off()) {
        run_end_.judge_put_off(false);
    } else if (run_end_.may_differ()) {
        // Which of two threads comes to a violation may depend on which of them happens to run first.
        run_end_.note_limit(limit_for_differing_runs, no_site);
        run_end_.abandon_run();
    } else {
        (void)run_end_.conclude(violation_kind::nondeterminism,
                                "a thread waits for a write that was made before, and not again");
    }
    return false;
}

// -1: nobody goes on.
int scheduler::choose_frontier_thread() {
    const harness_scope harness;
    runnable_.clear();
    int waiting = -1;
    for (const int thread_id : run_.order()) {
        const thread_state& each = run_.of(thread_id);
        if (each.status != thread_status::frontier) continue;
        if (each.halfway) return thread_id;
        if (waits_for_time(thread_id)) continue;
        if (!run_.is_disabled(thread_id)) {
            add_runnable(thread_id);
        } else if (waiting == -1) {
            waiting = thread_id;
        }
    }
    run_.passed_over = waiting != -1;
    if (runnable_.empty()) {
        if (const int observed = observed_in_iteration(); observed != -1) return observed;
    }
    // When nothing else can happen, it waits by an event: others may come before what it waits for.
    if (runnable_.empty() && waiting != -1) return waiting;
    if (run_.strategy->samples()) add_unblocked();
    if (runnable_.empty()) {
        if (const int next = next_in_time(); next != -1) {
            run_.of(next).time_is_up = true;
            return next;
        }
    }
    return runnable_.empty() ? goes_on_iterating() : run_.strategy->choose_thread(runnable_);
}

int scheduler::next_in_graph() {
    for (const int thread_id : run_.order()) {
        const thread_state& each = run_.of(thread_id);
        if (each.status == thread_status::ready ||
            (!run_.in_order && each.status == thread_status::awaiting_rf && run_.views[each.awaited].done) ||
            (each.status == thread_status::joining && run_.has_joined(each))) {
            return thread_id;
        }
    }
    return run_.in_order ? run_.thread_due() : -1;
}

// Asked once of each graph, when all of it was run.
bool scheduler::is_consistent() {
    if (run_.graph->known_consistent) return true;
    const harness_scope harness;
    run_.graph->known_consistent =
        run_.model.allows_future_reads(*run_.graph, run_.views) && run_.model.allows(*run_.graph, run_.views);
    if (!run_.graph->known_consistent) run_end_.abandon_run();
    return run_.graph->known_consistent;
}

// A thread whose last iteration failed, but was seen halfway by others that went on: it has to go on, too.
int scheduler::observed_in_iteration() const {
    for (const int thread_id : run_.order()) {
        const thread_state& each = run_.of(thread_id);
        const auto begin = zero_net_effect::undone_from(each);
        if (begin && zero_net_effect(run_, each, *begin).observed()) return thread_id;
    }
    return -1;
}

// When nothing else can happen, a loop that finds the same each time is followed on, as it may yet end by itself; of
// several the one with the fewest iterations, since that may end another. -1: none is.
int scheduler::goes_on_iterating() {
    search_facts_.iteration_bound |= liveness_.two_overwrite_each_other();
    int thread_with_fewest = -1;
    unsigned fewest = 0;
    for (const int thread_id : run_.order()) {
        const auto* const iterations = run_.of(thread_id).blocked_as<blocked::by_iterations>();
        if (iterations == nullptr || (thread_with_fewest != -1 && iterations->count >= fewest)) continue;
        thread_with_fewest = thread_id;
        fewest = iterations->count;
    }
    if (thread_with_fewest == -1 || liveness_.all_blocked_forever()) return thread_with_fewest;
    // An execution of no interest says nothing of the loops in it.
    if (liveness_.some_blocked_as<blocked::by_assumption>()) return -1;
    search_facts_.iteration_bound = true;
    return -1;
}

void scheduler::add_runnable(int thread_id) {
    const thread_state& each = run_.of(thread_id);
    const std::uint64_t begun = each.status == thread_status::blocked ? 1 : 0;
    runnable_.push_back({thread_id, run_.thread_ids->creator_of(thread_id), each.operations - begun,
                         each.next_operation, each.predecessors});
}

// A random execution goes on where a thread could: when there is something else to read, and at last when nothing else
// is left.
void scheduler::add_unblocked() {
    const auto add = [&](bool pruned) {
        for (const int thread_id : run_.order()) {
            const thread_state& each = run_.of(thread_id);
            const bool is_pruned = each.blocked_as<blocked::by_pruning>() != nullptr;
            if (each.status != thread_status::blocked || is_pruned != pruned) continue;
            if (each.blocked_as<blocked::by_acceptance>() != nullptr) continue;
            if (each.blocked_as<blocked::by_assumption>() != nullptr) continue;
            if (!liveness_.blocked_forever(each)) add_runnable(thread_id);
        }
    };
    add(false);
    if (runnable_.empty()) add(true);
    // Before time passes, each of these has one more turn.
    if (next_in_time() == -1) return;
    std::erase_if(runnable_, [&](const runnable_thread& each) {
        const thread_state& thread = run_.of(each.id);
        return thread.blocked_as<blocked::by_pruning>() != nullptr && thread.went_on_at == run_.time_came;
    });
}

bool scheduler::waits_for_time(int thread_id) const noexcept {
    const thread_state& thread = run_.of(thread_id);
    return thread.status == thread_status::frontier && thread.wakes_at &&
           (!thread.needed || run_.is_disabled(thread_id));
}

// The thread that waits for the earliest time; -1: none does.
int scheduler::next_in_time() const noexcept {
    if (!run_.graph->late_timeouts) return -1;
    int earliest = -1;
    for (const int thread_id : run_.order()) {
        if (!waits_for_time(thread_id)) continue;
        if (earliest == -1 || run_.of(thread_id).wakes_at < run_.of(earliest).wakes_at) earliest = thread_id;
    }
    return earliest;
}

}  // namespace ordeal::detail::graph
