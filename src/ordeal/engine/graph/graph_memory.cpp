// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one run goes through a graph: which thread is next, and how a thread leaves.
#include "ordeal/engine/graph/graph_memory.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/sequential_consistency.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>
#include <cstdlib>

namespace ordeal::graph {

graph_memory::graph_memory(const memory_options& options, int threads) : options_(options), tree_(threads) {
    run_.numbers = &tree_;
    if (!options_.instrumented) return;
    plain_.add_regions();
}

void graph_memory::begin(execution_graph& graph, strategy& how, bool tracing) {
    graph_ = &graph;
    strategy_ = &how;
    run_.begin(graph);
    recorder_.begin(tracing);
    end_.begin(how);
    turns_.begin(how);
    begin_execution(*this);
    if (options_.instrumented) {
        const harness_scope harness;
        plain_.begin();
        instrumented().begin_execution();
        detail::active_bytes = this;
    }
}

bool graph_memory::some_unfinished() const noexcept {
    return std::ranges::any_of(run_.order(), [&](int number) {
        const thread_status status = run_.of(number).status;
        return status != thread_status::finished && status != thread_status::absent;
    });
}

void graph_memory::run_on(int number) {
    run_.number = number;
    detail::code_on_trial_runs = true;  // whatever the fiber before left in the middle of
    detail::usable_stack = stacks_.usable(number);
    stacks_.resume(number);
    run_.number = main_number;
}

void graph_memory::enter_threads() {
    run_.before_others = options_.instrumented &&
                         std::ranges::count_if(run_.order(), [&](int number) { return tree_.is_fixed(number); }) == 1;
    for (const int number : run_.order()) run_.of(number).happened[main_number] = 1;
}

// What all threads did happens before what follows.
void graph_memory::leave_threads() {
    run_.leave_quiet();
    run_.finishing = true;
    for (std::size_t i = 0; i < max_numbers; ++i) run_.of(main_number).happened[i] = 0xfff0;
}

void graph_memory::finish_thread() {
    thread_state& me = run_.self();
    if (me.guess.active) end_.give_up_guess();
    if (!run_.at_end(me)) end_.diverge("a thread ended earlier than before", no_site);
    if (options_.instrumented) plain_.end_locals();
    me.status = thread_status::finished;
    end_.leave_fiber();
}

// A thread that has more of the graph to run comes first. Then the leftmost one that stands at a new operation, but a
// read-modify-write is completed before all else.
int graph_memory::next_thread() {
    if (end_.abandoned()) return -1;
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status == thread_status::ready ||
            (each.status == thread_status::waiting && run_.facts[each.awaited].done) ||
            (each.status == thread_status::joining && run_.of(each.joined).status == thread_status::finished)) {
            return number;
        }
    }
    if (!run_.replayed()) {
        end_.conclude(violation_kind::nondeterminism, "a thread waits for a write that was made before, and not again");
        return -1;
    }
    if (!run_.graph->checked) {
        run_.graph->checked = true;
        const harness_scope harness;
        if (run_.ordered && !sequentially_consistent(*run_.graph, run_.facts)) {
            end_.drop();
            return -1;
        }
    }
    const harness_scope harness;
    runnable_.clear();
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status != thread_status::frontier) continue;
        if (each.halfway) return run_.chosen = number;
        runnable_.push_back(number);
    }
    if (strategy_->samples()) add_unblocked();
    if (runnable_.empty()) return run_.chosen = goes_on_turning();
    run_.chosen = strategy_->choose_thread(runnable_);
    return run_.chosen;
}

// When nothing else can happen, a loop that finds the same each time is followed on, as it may yet end by itself; of
// several the one that is behind, since that may end another. -1: none is.
int graph_memory::goes_on_turning() {
    int behind = -1;
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status != thread_status::blocked || each.why != blocked_by::turns) continue;
        if (behind == -1 || each.turns < run_.of(behind).turns) behind = number;
    }
    if (behind == -1 || stuck_for_ever()) return behind;
    met_.turn_bound = true;
    return -1;
}

// A random execution goes on where a thread could: when there is something else to read, and at last when nothing else
// is left.
void graph_memory::add_unblocked() {
    const auto add = [&](bool bound) {
        for (const int number : run_.order()) {
            const thread_state& each = run_.of(number);
            if (each.status != thread_status::blocked || (each.why == blocked_by::bound) != bound) continue;
            if (!waits_for_ever(each)) runnable_.push_back(number);
        }
    };
    add(false);
    if (runnable_.empty()) add(true);
}

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = run_.replayed();
    if (!whole && !end_.found()) return false;
    for (std::size_t i = 0; i < run_.graph->size(); ++i) {
        const event& each = (*run_.graph)[static_cast<event_id>(i)];
        if (!each.accesses_memory() || !run_.facts[i].done) continue;
        const std::vector<event_id>& order = run_.graph->coherence(each.where);
        // A read not before what it knew already; a write after that, and in a place of its own.
        if (each.kind == event_kind::read) {
            if (run_.graph->place_of(each.source) < run_.graph->bound(each.where, run_.facts[i].before)) return false;
            continue;
        }
        view before = run_.facts[i].happened;
        --before[each.number];
        if (each.place <= run_.graph->bound(each.where, before) || order[each.place] != i) return false;
        if (!whole) continue;
        if (std::ranges::count(order, initial_write) != 1) return false;
        if (each.exclusive && (*run_.graph)[run_.of(each.number).path[each.index - std::size_t{1}]].source !=
                                  order[each.place - std::size_t{1}]) {
            return false;
        }
    }
    return !whole || !run_.ordered || sequentially_consistent(*run_.graph, run_.facts);
}

}  // namespace ordeal::graph
