// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one run goes through a graph: which thread is next, and how a thread leaves.
#include "ordeal/engine/graph/graph_memory_inline.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>
#include <cstdlib>

namespace ordeal::graph {

graph_memory::graph_memory(const memory_options& options, int threads)
    : options_(options), tree_(threads), model_(options.model) {
    if (!options_.instrumented) return;
    shadow_.add_region(heap::region(), true);
    shadow_.add_region(stacks_.parts());
    shadow_.add_region(instrumented().thread_variables());
}

void graph_memory::begin(execution_graph& graph, graph_sink* sink, chooser* chooser, bool tracing) {
    graph_ = &graph;
    sink_ = sink;
    chooser_ = chooser;
    tracing_ = tracing;
    for (int number = 0; number <= tree_.count(); ++number) {
        state_of(number).begin(tree_.is_fixed(number) ? thread_status::ready : thread_status::absent);
    }
    facts_.assign(graph.size(), {});
    for (std::size_t id = 0; id < graph.size(); ++id) {
        state_of(graph[static_cast<event_id>(id)].number).path.push_back(static_cast<event_id>(id));
    }
    executed_ = 0;
    number_ = main_number;
    chosen_ = -1;
    locations_ = {};
    notifications_.clear();
    waits_.clear();
    accepted_.clear();
    condition_waits_.clear();
    freed_.clear();
    objects_.clear();
    found_.reset();
    trace_.clear();
    step_ = operations_ = 0;
    added_ = 0;
    failing_ = abandoned_ = finishing_ = before_others_ = false;
    model_.begin();
    quiet_reads_ = 0;
    executing_ = true;
    begin_execution(*this);
    if (options_.instrumented) {
        const harness_scope harness;
        shadow_.begin_execution();
        begin_plain_trace();
        instrumented().begin_execution();
        detail::active_bytes = this;
    }
}

void graph_memory::leave() noexcept {
    executing_ = false;
    detail::active_bytes = nullptr;
    end_execution();
}

bool graph_memory::some_unfinished() const noexcept {
    return std::ranges::any_of(tree_.order(), [&](int number) {
        const thread_status status = state_of(number).status;
        return status != thread_status::finished && status != thread_status::absent;
    });
}

void graph_memory::run_on(int number) {
    number_ = number;
    detail::code_on_trial_runs = true;  // whatever the fiber before left in the middle of
    detail::usable_stack = stacks_.usable(number);
    stacks_.resume(number);
    number_ = main_number;
}

void graph_memory::enter_threads() {
    before_others_ = options_.instrumented &&
                     std::ranges::count_if(tree_.order(), [&](int number) { return tree_.is_fixed(number); }) == 1;
    for (const int number : tree_.order()) state_of(number).happened[main_number] = 1;
}

// What all threads did happens before what follows.
void graph_memory::leave_threads() {
    leave_quiet();
    finishing_ = true;
    for (std::size_t i = 0; i < max_numbers; ++i) state_of(main_number).happened[i] = 0xfff0;
}

void graph_memory::finish_thread() {
    thread_state& me = self();
    if (me.guess.active) give_up_guess();
    if (!at_end(me)) diverge("a thread ended earlier than before", no_site);
    if (options_.instrumented) end_locals();
    me.status = thread_status::finished;
    leave_fiber();
}

void graph_memory::leave_fiber() {
    stacks_.suspend();
    std::abort();  // not reached: nobody resumes it
}

void graph_memory::block(blocked_by why) {
    thread_state& me = self();
    me.why = why;
    me.status = thread_status::blocked;
    stacks_.suspend();
    // A systematic search never comes back: what the thread would do then belongs to other graphs.
    me.status = thread_status::ready;
    me.yields = me.time_outs = 0;
}

void graph_memory::abandon() {
    abandoned_ = true;
    leave_fiber();
}

void graph_memory::fail(violation_kind kind, std::string_view message, site_id site) {
    if (executing_ && self().guess.active) give_up_guess();  // if this is so, the search will come to it
    failing_ = true;
    {
        const harness_scope harness;
        std::string text(message);
        ++step_;
        if (tracing_) {
            trace_step* const last = record("violation", site, nullptr);
            last->note = violation_note(kind, text);
        }
        found_ = violation{kind, std::move(text)};
    }
    leave();
    leave_fiber();
}

void graph_memory::conclude(violation_kind kind, std::string_view message) {
    const harness_scope harness;
    found_ = violation{kind, std::string(message)};
    if (!tracing_) return;
    trace_step last;
    last.index = ++step_;
    last.operation = "violation";
    last.note = violation_note(kind, message);
    trace_.push_back(std::move(last));
}

void graph_memory::diverge(std::string_view how, site_id site) {
    self().guess.active = false;
    fail(violation_kind::nondeterminism, how, site);
}

// Such memory is at another address in each execution.
void graph_memory::refuse_unknown_memory(site_id site) {
    refuse("an atomic in memory that was allocated by a library that is not on trial", site);
}

// A thread that has more of the graph to run comes first. Then the leftmost one that stands at a new operation, but a
// read-modify-write is completed before all else.
int graph_memory::next_thread() {
    if (abandoned_) return -1;
    for (const int number : tree_.order()) {
        const thread_state& each = state_of(number);
        if (each.status == thread_status::ready ||
            (each.status == thread_status::waiting && facts_[each.awaited].done) ||
            (each.status == thread_status::joining && state_of(each.joined).status == thread_status::finished)) {
            return number;
        }
    }
    if (!replayed()) {
        conclude(violation_kind::nondeterminism, "a thread waits for a write that was made before, and not again");
        return -1;
    }
    if (!graph_->checked) {
        graph_->checked = true;
        const harness_scope harness;
        abandoned_ = !model_.allows(*graph_, facts_);
        if (abandoned_) return -1;
    }
    const harness_scope harness;
    runnable_.clear();
    for (const int number : tree_.order()) {
        const thread_state& each = state_of(number);
        if (each.status != thread_status::frontier) continue;
        if (each.halfway) return chosen_ = number;
        runnable_.push_back(number);
    }
    if (chooser_ != nullptr) add_unblocked();
    if (runnable_.empty()) return chosen_ = goes_on_turning();
    chosen_ = chooser_ != nullptr ? chooser_->choose_thread(runnable_) : runnable_.front();
    return chosen_;
}

// When nothing else can happen, a loop that finds the same each time is followed on, as it may yet end by itself; of
// several the one that is behind, since that may end another. -1: none is.
int graph_memory::goes_on_turning() {
    int behind = -1;
    for (const int number : tree_.order()) {
        const thread_state& each = state_of(number);
        if (each.status != thread_status::blocked || each.why != blocked_by::turns) continue;
        if (behind == -1 || each.turns < state_of(behind).turns) behind = number;
    }
    if (behind == -1 || stuck_for_ever()) return behind;
    met_.turn_bound = true;
    return -1;
}

// A random execution goes on where a thread could: when there is something else to read, and at last when nothing else
// is left.
void graph_memory::add_unblocked() {
    const auto add = [&](bool bound) {
        for (const int number : tree_.order()) {
            const thread_state& each = state_of(number);
            if (each.status != thread_status::blocked || (each.why == blocked_by::bound) != bound) continue;
            if (!waits_for_ever(each)) runnable_.push_back(number);
        }
    };
    add(false);
    if (runnable_.empty()) add(true);
}

void graph_memory::await_turn(thread_state& me) {
    while (chosen_ != number_) {
        me.status = thread_status::frontier;
        stacks_.suspend();
    }
    // The leftmost one stays the leftmost; one that was only completing an operation may not be it.
    if (chooser_ != nullptr || me.halfway) chosen_ = -1;
    me.halfway = false;
}

// An execution of thousands of operations, each with its alternatives, may take longer than all the time there is. What it
// has come to is a graph to go on from like any other: no thread is between the halves of an operation here. Each run adds
// some, so that the search gets on whatever the time.
void graph_memory::look_at_clock() {
    constexpr unsigned added_in_any_time = 200;
    if (sink_ == nullptr || ++added_ <= added_in_any_time || self().guess.active) return;
    if (!stop_requested() && std::chrono::steady_clock::now() < leave_at_) return;
    const harness_scope harness;
    sink_->emit(*graph_);
    abandon();
}

void graph_memory::await_source(thread_state& me, site_id site) {
    const event& next = (*graph_)[me.path[me.next]];
    if (next.kind != event_kind::read) diverge("another operation than before", site);
    while (next.source != initial_write && !facts_[next.source].done) {
        me.awaited = next.source;
        me.status = thread_status::waiting;
        stacks_.suspend();
    }
}

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = replayed();
    if (!whole && !found_) return false;
    return coherent(*graph_, facts_, whole) && model_.allows(*graph_, facts_);
}

}  // namespace ordeal::graph
