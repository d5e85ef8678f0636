// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/explorer.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/core/explorer/preemptions.hpp"
#include "ordeal/engine/process/memory_limit.hpp"
#include "ordeal/engine/search_report.hpp"

#include <atomic>
#include <bitset>
#include <deque>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

// Looking at the clock takes as long as a step or two.
constexpr std::uint64_t steps_between_looks = 1'000;
constexpr std::chrono::milliseconds between_looks_at_memory{10};

std::atomic<explorer*> only_one = nullptr;

// On the way to an execution within the bound a graph may be met that is not: a thread that will be revisited has run
// ahead. How far is bounded by the number of threads, each of which may be preempted once before it does (Marmanis,
// Kokologiannakis, Vafeiadis, "Reconciling Preemption Bounding with DPOR", TACAS 2023). Threads without an event do
// not count.
unsigned slack_of(const execution_graph& graph) {
    std::bitset<max_thread_ids> seen;
    for (const event& each : graph.events()) seen.set(each.thread_id);
    return static_cast<unsigned>(seen.count());
}

// The reductions of a search, without those that it cannot have.
search_reductions reductions_of(const search_options& options) {
    search_reductions result = options.reductions;
    // Counting preemptions needs an event for each blocked operation, and an order of arrivals.
    const bool counts_preemptions = options.strategy.mode == search_mode::preemptions;
    if (counts_preemptions) result.waiting = false;
    // `--coverage` wants the states of all executions.
    const bool wants_all = options.wanted.atomic_states;
    // After an accepted race a value may depend on the schedule, which no graph has.
    const bool may_depend_on_schedule = !options.accept.empty();
    // Where preemptions are counted, the execution without a retry may have more of them.
    if (wants_all || may_depend_on_schedule || !result.waiting) result.retries = result.blocked = false;
    if (wants_all || may_depend_on_schedule || counts_preemptions) result.barriers = false;
    // Without its locks a program may have executions that it does not have with them, which nobody shall see.
    const bool shows_executions = options.wanted.examples || options.wanted.used_orders || options.replay.has_value();
    if (!result.barriers || shows_executions || is_random(options.strategy.mode)) result.lock_elision = false;
    return result;
}

// A shard, a bounded search and one that goes on behind violations name the patterns that they do not explore.
bool may_explore_future_reads(const search_options& options) {
    return has_load_buffering(options.model) && options.strategy.mode != search_mode::preemptions &&
           options.shard.count == 0 && options.accept.empty();
}

}  // namespace

unsigned length_of(const search_options& options, const scenario& what) noexcept {
    if (options.bounds.length != 0) return options.bounds.length;
    return is_random(options.strategy.mode) && what.instrumented ? default_random_length : default_length;
}

explorer::explorer(const scenario& what, const search_options& options, search_progress& progress)
    : options_(options),
      progress_(&progress),
      runner_(what, {.spurious = options.bounds.spurious,
                     .reuse = options.bounds.reuse,
                     .step_limit = length_of(options, what),
                     .late_timeouts = options.bounds.time_limits == timeouts::late,
                     .instrumented = what.instrumented,
                     .begins_again = options.shard.count == 0,  // all shards would have to
                     .reductions = reductions_of(options),
                     .accept = options.accept,
                     .model = options.model}),
      graph_reduction_(make_graph_reduction(what, options, runner_)),
      execution_statistics_(options.wanted.examples, options.wanted.atomic_states, options.wanted.used_orders) {
    runner_.interpreter().mixed_sizes.learn(options.mixed);
    if (execution_statistics_.wants_any()) runner_.set_observer(&execution_statistics_);
    if (!is_random(options.strategy.mode)) {
        using lb_mode = future_reads::lb_mode;
        const lb_mode mode = may_explore_future_reads(options) ? lb_mode::explore : lb_mode::certify_then_report;
        runner_.interpreter().future_reads.set_mode(mode);
    }
    runner_.interpreter().used_orders.watch(options.wanted.used_orders);
    only_one = this;
}

explorer::~explorer() {
    if (only_one == this) only_one = nullptr;
}

explorer* explorer::of_this_process() noexcept { return only_one; }

void explorer::import_graph(execution_graph& graph) {
    if (!runner_.interpreter().thread_ids.adopt(graph)) throw std::runtime_error("graphs of another program");
    work_.emit(graph);
}

void explorer::explore(std::uint64_t more_runs, clock::time_point until, clock::duration patience) {
    const std::uint64_t last = counted_.runs + more_runs;
    runner_.drop_snapshots();  // others may have changed what waits
    runner_.interpreter().scheduling_points.leave_at(until > clock::time_point::max() - patience ? until
                                                                                                 : until + patience);
    std::uint64_t looked_at_clock = 0;
    while (counted_.runs != last && !stop_requested()) {
        if (done() && !begin_future_read_graph()) break;
        const std::uint64_t steps = runner_.interpreter().operation_accounting.total_steps();
        if (steps - looked_at_clock >= steps_between_looks || looked_at_clock == 0) {
            const auto now = clock::now();
            if (now >= until || beyond_memory(now)) return;
            looked_at_clock = steps;
        }
        run_one();
    }
    (void)begin_future_read_graph();
    if (work_.empty() && !enough_ && !found()) repeat();
}

void explorer::explore_future_reads(std::vector<future_read_graph> graphs) {
    future_read_search_.begin(std::move(graphs));
    (void)begin_future_read_graph();
}

// Returns whether there is one, of a search in which nothing else is left.
bool explorer::begin_future_read_graph() {
    return !enough_ && !found() && work_.empty() && future_read_search_.emit_next(work_);
}

void explorer::divide(std::size_t parts, std::uint64_t more_runs, clock::time_point until) {
    const std::uint64_t last = counted_.runs + more_runs;
    runner_.interpreter().scheduling_points.leave_at(until);
    std::deque<execution_graph> waiting;
    const auto set_aside = [&] {
        for (execution_graph& each : work_.take_all()) waiting.push_back(std::move(each));
    };
    set_aside();
    while (!waiting.empty() && waiting.size() < parts && counted_.runs != last && !found() && !enough_) {
        if (stop_requested() || clock::now() >= until) break;
        work_.emit(waiting.front());
        waiting.pop_front();
        runner_.drop_snapshots();
        run_one();
        set_aside();
    }
    for (const execution_graph& each : waiting) work_.emit(each);
}

void explorer::run_one() {
    future_read_search_.certify_if_many();
    work_.take(graph_);
    if (bounded() && !within_preemptions(graph_, most_preemptions() + slack_of(graph_))) {
        counted_.bounded = true;
        return;
    }
    run_meter length(runner_);
    const ending ended =
        graph_.future_reads ? future_read_search_.run(graph_, work_) : graph_reduction_->run(graph_, work_);
    ++counted_.runs;
    if (refuted()) return;
    if (runner_.interpreter().site_coverage.pairs() != pairs_) note_pairs();
    progress_->steps = runner_.interpreter().operation_accounting.total_steps();
    // One that came to nothing counts for its length alone.
    const bool counts = count(ended);
    const std::uint64_t counts_as = length.last_run() - (counts ? 0 : 1);
    if (further_) enough_ |= !further_->spend(counts_as);
    if (!counts || ended != ending::complete || graph_.future_reads) return;
    check();
    keep_for_repetition();
}

void explorer::keep_for_repetition() {
    if (!first_) {
        first_ = graph_;
    } else {
        std::swap(graph_, last_ ? *last_ : last_.emplace());
    }
}

// Code that does something else the next time is found by running it again, which a snapshot does not do. So at the end
// of a search an execution from before there were snapshots is run again from the beginning, and the last one.
void explorer::repeat() {
    if (!runner_.resumed_from_snapshot() || !options_.accept.empty()) return;
    execution_observer* const watcher = runner_.set_observer(nullptr);
    if (first_) repeat(*first_);
    if (last_ && !found()) repeat(*last_);
    runner_.set_observer(watcher);
}

void explorer::repeat(const execution_graph& kept) {
    silent_strategy nobody(silent_strategy::adds_events::yes);
    execution_graph again = kept;
    const ending ended = graph_reduction_->run_again(again, nobody);
    if (ended == ending::complete && again.size() == kept.size()) return;
    enough_ = true;
    if (ended == ending::refused) return;
    violation met{violation_kind::nondeterminism, "an execution that was run again did not come to the same end"};
    if (ended == ending::violated) met = *runner_.interpreter().run_end.found();
    counted_.keep_simpler({kept, met.kind, met.message, difficulty(kept)});
    note_found(*progress_, met.kind);
}

void explorer::check() {
    const ending ended = graph_reduction_->check(graph_);
    enough_ |= ended != ending::complete || refuted();
    if (ended == ending::violated) note_violation();
    if (ended == ending::refused) work_.clear();  // nothing that is left would mean anything
}

bool explorer::refuted() {
    counted_.refuted = graph_reduction_->refuted();
    if (counted_.refuted.empty() && runner_.interpreter().search_facts.order_of_arrivals)
        counted_.refuted = order_of_arrivals_is_seen;
    if (counted_.refuted.empty() && runner_.interpreter().search_facts.order_of_sections)
        counted_.refuted = order_of_sections_is_seen;
    if (counted_.refuted.empty() && !runner_.interpreter().search_facts.mixed.empty())
        counted_.refuted = some_sizes_are_mixed;
    enough_ |= !counted_.refuted.empty();
    return !counted_.refuted.empty();
}

// Returns whether it was an execution, or a blocked one.
bool explorer::count(ending ended) {
    enough_ |= ended == ending::refused;
    if (ended == ending::abandoned || ended == ending::refused) return false;
    if (bounded() && !within_preemptions(graph_, most_preemptions())) {
        counted_.bounded = true;
        return false;
    }
    runner_.count_outcome();
    if (ended == ending::blocked) {
        ++counted_.blocked;
    } else {
        ++counted_.executions;
        progress_->executions = progress_->executions + 1;
    }
    if (ended != ending::blocked || runner_.interpreter().run_end.ended_at_accepted())
        merge_accepted(runner_.interpreter().run.accepted, counted_.accepted);
    if (ended == ending::violated) note_violation();
    return true;
}

void explorer::note_violation() {
    const auto& found = *runner_.interpreter().run_end.found();
    counted_.keep_simpler({graph_, found.kind, found.message, difficulty(graph_)});
    note_found(*progress_, found.kind);
    // An automatic search goes on for one that is simpler to read. What comes after an endless one is no better.
    if (!further_) further_.emplace(options_.strategy.mode == search_mode::automatic ? most_further_runs : 0);
}

// The run is not counted yet.
void explorer::note_pairs() {
    pairs_ = runner_.interpreter().site_coverage.pairs();
    progress_->pairs = pairs_;
    progress_->newest_pair_after = progress_->executions + 1;
}

// At least one run has been made, however little the search may take.
bool explorer::beyond_memory(clock::time_point now) {
    if (counted_.runs == 0 || now < look_at_memory_) return false;
    look_at_memory_ = now + between_looks_at_memory;
    if (!beyond_memory_limit()) return false;
    runner_.interpreter().search_facts.memory_bound = true;
    enough_ = true;
    return true;
}

void explorer::drop_counts() {
    std::string refuted = counted_.refuted;
    (void)take_tally();
    counted_.refuted = std::move(refuted);
}

tally explorer::take_tally() {
    if (!found()) future_read_search_.certify();
    tally result = std::exchange(counted_, {});
    result.future_read_graphs = future_read_search_.take_graphs();
    result.search_facts = runner_.interpreter().search_facts;
    result.outcomes = std::exchange(runner_.outcomes(), {});
    result.examples = execution_statistics_.take_examples();
    result.words = execution_statistics_.take_words();
    result.sites = sites_of(runner_.interpreter().site_coverage.all(), runner_.interpreter().site_coverage.writers());
    execution_statistics_.add_rf_pairs(result.sites);
    return result;
}

}  // namespace ordeal::detail::graph
