// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/run/scheduler.hpp"

#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::graph {

bool scheduler::some_unfinished() const noexcept {
    return std::ranges::any_of(run_.order(), [&](int number) {
        const thread_status status = run_.of(number).status;
        return status != thread_status::finished && status != thread_status::absent;
    });
}

void scheduler::run_on(int number) {
    run_.number = number;
    detail::code_on_trial_runs = true;  // whatever the fiber before left in the middle of
    detail::usable_stack = stacks_.usable(number);
    stacks_.resume(number);
    run_.number = main_number;
}

void scheduler::enter_threads(bool may_be_quiet) {
    run_.before_others = may_be_quiet && std::ranges::count_if(run_.order(), [&](int number) {
                                             return run_.numbers->is_fixed(number);
                                         }) == 1;
    for (const int number : run_.order()) run_.of(number).happened[main_number] = 1;
}

// What all threads did happens before what follows.
void scheduler::leave_threads() {
    run_.leave_quiet();
    run_.finishing = true;
    for (std::size_t i = 0; i < max_numbers; ++i) run_.of(main_number).happened[i] = 0xfff0;
}

// A thread that has more of the graph to run comes first. Then the leftmost one that stands at a new operation, but a
// read-modify-write is completed before all else.
int scheduler::next_thread() {
    if (end_.abandoned()) return -1;
    const int in_graph = next_in_graph();
    if (in_graph != -1) return in_graph;
    if (!run_.replayed()) {
        end_.conclude(violation_kind::nondeterminism, "a thread waits for a write that was made before, and not again");
        return -1;
    }
    if (!is_consistent()) return -1;
    const harness_scope harness;
    runnable_.clear();
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status != thread_status::frontier) continue;
        if (each.halfway) return run_.chosen = number;
        runnable_.push_back(number);
    }
    if (strategy_->samples()) add_unblocked();
    return run_.chosen = runnable_.empty() ? goes_on_turning() : strategy_->choose_thread(runnable_);
}

int scheduler::next_in_graph() const {
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status == thread_status::ready ||
            (each.status == thread_status::waiting && run_.facts[each.awaited].done) ||
            (each.status == thread_status::joining && run_.of(each.joined).status == thread_status::finished)) {
            return number;
        }
    }
    return -1;
}

// Asked once of each graph, when all of it was run.
bool scheduler::is_consistent() {
    if (run_.graph->checked) return true;
    run_.graph->checked = true;
    const harness_scope harness;
    const bool consistent = run_.model.allows(*run_.graph, run_.facts);
    if (!consistent) end_.drop();
    return consistent;
}

// When nothing else can happen, a loop that finds the same each time is followed on, as it may yet end by itself; of
// several the one that is behind, since that may end another. -1: none is.
int scheduler::goes_on_turning() {
    int behind = -1;
    unsigned fewest = 0;
    for (const int number : run_.order()) {
        const auto* const turns = run_.of(number).blocked_as<blocked::by_turns>();
        if (turns == nullptr || (behind != -1 && turns->count >= fewest)) continue;
        behind = number;
        fewest = turns->count;
    }
    if (behind == -1 || standstill_.is_for_ever()) return behind;
    met_.turn_bound = true;
    return -1;
}

// A random execution goes on where a thread could: when there is something else to read, and at last when nothing else
// is left.
void scheduler::add_unblocked() {
    const auto add = [&](bool bound) {
        for (const int number : run_.order()) {
            const thread_state& each = run_.of(number);
            const bool by_bound = each.blocked_as<blocked::by_bound>() != nullptr;
            if (each.status != thread_status::blocked || by_bound != bound) continue;
            if (!standstill_.waits_for_ever(each)) runnable_.push_back(number);
        }
    };
    add(false);
    if (runnable_.empty()) add(true);
}

}  // namespace ordeal::graph
