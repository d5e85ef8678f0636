// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/search_session.hpp"

#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"
#include "ordeal/engine/graph/counterexample/shown_execution.hpp"
#include "ordeal/engine/graph/search/checkpoint.hpp"
#include "ordeal/engine/graph/search/estimates.hpp"
#include "ordeal/engine/graph/search/portfolio.hpp"
#include "ordeal/engine/graph/search/random_executions.hpp"
#include "ordeal/engine/graph/search/shards.hpp"
#include "ordeal/engine/graph/search/workers.hpp"
#include "ordeal/engine/process/memory_limit.hpp"
#include "ordeal/engine/process/remote_workers.hpp"
#include "ordeal/engine/process/watchdog.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/seconds_since.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace ordeal::detail::graph {

namespace {

// Smaller searches finish before their size or a second process would be of use. Counted rather than timed, so that the
// search does the same on every machine up to that point.
constexpr std::uint64_t small_search = 20'000;
constexpr std::uint64_t steps_of_small_search = 4'000'000;
constexpr std::uint64_t runs_between_looks = 100;
constexpr unsigned ways_at_a_time = 200;
// Takes little time, but much more than reading the clock.
constexpr std::uint64_t runs_between_saves = 100;
// In less time the processes of a search would hardly do anything but return their graphs.
constexpr std::chrono::milliseconds shortest_share{50};

unsigned long long steps_so_far() {
    explorer* const now = explorer::of_this_process();
    return now == nullptr ? 0 : now->runner().interpreter().operation_accounting.total_steps();
}

// Once for all explorers of this process.
std::chrono::steady_clock::time_point begin_search_of(const search_options& options) {
    begin_memory_limit(options.resources.memory, options.resources.jobs > 1 ? options.resources.jobs + 1 : 1);
    return std::chrono::steady_clock::now();
}

// One search of the graph engine.
class search_session {
public:
    search_session(const scenario& what, const search_options& options, search_progress& progress)
        : what_(what),
          options_(options),
          progress_(progress),
          watchdog_([](const interruption& what) { interrupt(what); }, [] { return steps_so_far(); },
                    [this] { progress_.heartbeats = progress_.heartbeats + 1; }),
          globals_(what.instrumented),
          begin_(begin_search_of(options)),
          deadline_(deadline_after(options.resources.seconds)),
          explorer_(std::in_place, what, options_, progress),
          portfolio_(what, options_, progress, explorer_, deadline_),
          checkpoint_(what, options_) {
        if (checkpoint_.wanted()) save_next_ = next_save();
    }

    [[nodiscard]] search_result search() {
        try {
            if (remote_workers::client_channel()) {
                workers::serve(*explorer_, *std::exchange(remote_workers::client_channel(), std::nullopt));
            } else if (options_.replay) {
                if (is_of_mixed_sizes(*options_.replay)) learn_mixed_sizes();
                shown().replay(*options_.replay);
            } else {
                if (is_random(options_.strategy.mode)) {
                    random();
                    while (!total_.refuted.empty() && !total_.found && begin_again()) random();
                } else {
                    systematic();
                }
                judge();
            }
        } catch (const worker_ended& error) {
            // Whatever ends the process ends an execution; it is unknown which.
            result_ = {};
            result_.verdict = verdict::violated;
            result_.kind = violation_kind::crash;
            result_.message = error.what();
        } catch (const std::runtime_error& error) {
            result_ = {};
            result_.message = error.what();
        }
        require_overrides_met(options_, result_);
        result_.seconds = seconds_since(begin_);
        return std::move(result_);
    }

private:
    using clock = explorer::clock;

    // Runs in a signal handler on a stack of its own. The code on trial may have overflowed its stack anywhere: inside
    // the harness the allocator may be locked. Then the process ends at once, and that is the verdict.
    static void interrupt(interruption what) {
        explorer* const now = explorer::of_this_process();
        if (now == nullptr) return;
        execution_runner& runs = now->runner();
        const bool used_up = runs.interpreter().stack_limits.is_beyond(what.address);
        const bool of_harness = !on_trial() && (used_up || what.kind == violation_kind::livelock);
        if (of_harness || runs.interpreter().run_end.failing()) return;
        if (used_up) what.message = runs.interpreter().stack_limits.message_for_used_up();
        runs.interrupt(what.kind, what.message, what.code);
    }

    void systematic() {
        if (!options_.shard.parts.empty()) return add_shards();
        search_all(true);
        // A violation is real all the same.
        while (!total_.refuted.empty() && !total_.found && begin_again()) search_all(false);
    }

    void search_all(bool goes_on_from_checkpoint) {
        if (auto before = checkpoint_.wanted() && goes_on_from_checkpoint ? checkpoint_.load() : std::nullopt) {
            total_ = std::move(before->counted);
            options_.mixed = before->mixed;
            if (give_up_refuted_reductions() || !options_.mixed.empty()) explorer_.emplace(what_, options_, progress_);
            explorer_->reduction_of_graphs().import_state(before->learned);
            explorer_->runner().interpreter().thread_visits.sites().expect(before->spinloop_sites);
            progress_.executions = total_.executions;
            for (execution_graph& each : before->work) explorer_->import_graph(each);
            division_ = std::move(before->division);
        } else {
            explorer_->work().emit({});
            if (is_shard()) {
                division_ = divide(*explorer_, options_, deadline_);
                progress_.executions = options_.shard.index == 1 ? progress_.executions : 0;
            }
        }
        explore_small();
        if (!explorer_->done() && options_.resources.jobs > 1) {
            total_.add(explorer_->take_tally());
            explore_with_workers();
        } else {
            explore_alone();
        }
        if (!total_.refuted.empty() && !total_.found) return;
        explore_future_reads();
        cut_short_ = (!explorer_->work().empty() || !total_.future_read_graphs.empty()) && !total_.found;
        if (cut_short_) portfolio_.finish();
        if (!checkpoint_.wanted()) return;
        if (cut_short_ && !portfolio_.seen().found) {
            if (!is_shard() || !division_.empty()) save_checkpoint();
        } else {
            checkpoint_.remove();
        }
    }

    // Reductions that leave out an order which may be seen. Returns whether there are any.
    bool give_up_refuted_reductions() {
        search_reductions& reductions = options_.reductions;
        const search_reductions before = reductions;
        reductions.barriers &= !total_.search_facts.order_of_arrivals;
        reductions.lock_elision &= !total_.search_facts.order_of_sections;
        return reductions != before;
    }

    // Threads were taken for interchangeable, but are not, or the order of arrivals at a barrier or of critical
    // sections may be seen, or atomics are accessed in parts. What else this search has learned is dropped: the next
    // one begins without such groups, or with that order, or with those objects. Returns whether it differs from this
    // one.
    bool begin_again() {
        give_up_refuted_reductions();
        told_apart_ |= !is_in_search_facts(total_.refuted);
        if (total_.refuted == some_sizes_are_mixed && !learn(total_.search_facts.mixed)) {
            total_.search_facts.refused =
                "an atomic that is accessed in parts, at another address in each process, is not supported";
            return false;
        }
        if (checkpoint_.wanted()) checkpoint_.remove();
        total_ = {};
        division_.clear();
        total_.search_facts.order_of_arrivals = !options_.reductions.barriers;
        total_.search_facts.order_of_sections = !options_.reductions.lock_elision;
        explorer_.emplace(what_, options_, progress_);
        if (told_apart_) explorer_->reduction_of_graphs().import_state(graph_reduction::nothing);
        progress_.executions = 0;
        progress_.pairs = 0;
        progress_.newest_pair_after = 0;
        return true;
    }

    // Returns whether it is more than is known.
    bool learn(const mixed_ranges& met) {
        const mixed_ranges before = options_.mixed;
        for (const auto& [address, size] : met) options_.mixed[address] = size;
        return options_.mixed != before;
    }

    [[nodiscard]] static bool is_of_mixed_sizes(const choices& wanted) {
        const auto graph = parse_graph(split_fingerprint(wanted.text).graph);
        return graph && graph->mixed_sizes;
    }

    // The token of an execution does not have their addresses, which another build may have elsewhere. A search finds
    // them, and in the order of its executions, as the one did that made the token.
    void learn_mixed_sizes() {
        options_.reductions.lock_elision = false;
        explorer_.emplace(what_, options_, progress_);
        while (true) {
            explorer_->work().emit({});
            explorer_->stop_reporting();
            explorer_->explore(small_search, deadline_);
            const mixed_ranges met = explorer_->runner().interpreter().search_facts.mixed;
            const bool more = learn(met);
            explorer_.emplace(what_, options_, progress_);
            if (!more) return;
        }
    }

    // One execution, which is not counted, shows what depends on the code on trial alone: whether its threads are
    // instrumented.
    void add_shards() {
        merged_shards all = add_up(options_.shard.parts);
        total_ = std::move(all.counted);
        unfinished_shards_ = std::move(all.unfinished);
        explorer_->reduction_of_graphs().import_state(all.learned);
        cut_short_ = !unfinished_shards_.empty() && !total_.found;
        progress_.executions = total_.executions;
        explorer_->stop_reporting();
        explorer_->work().emit({});
        do {
            explorer_->explore(1, deadline_);
        } while (goes_on() && explorer_->runs() < small_search && explorer_->runner().saw_nothing());
        explorer_->work().clear();
    }

    [[nodiscard]] bool is_shard() const noexcept { return options_.shard.count > 0; }

    // A single process explores as usual.
    void explore_small() {
        if (options_.resources.jobs == 1) return explore(small_search);
        const interpreter& interpreter = explorer_->runner().interpreter();
        while (goes_on() && explorer_->runs() < small_search &&
               interpreter.operation_accounting.total_steps() < steps_of_small_search) {
            explore(runs_between_looks);
        }
    }

    void explore_alone() {
        for (std::uint64_t more = small_search; goes_on(); more *= 2) {
            estimate();
            explore(more);
        }
        total_.add(explorer_->take_tally());
    }

    // Executions with load buffering come after all of RC11, so that what they show has no execution of RC11.
    void explore_future_reads() {
        while (!total_.future_read_graphs.empty() && !total_.decides() && explorer_->work().empty() &&
               !stop_requested() && clock::now() < deadline_) {
            explorer_->explore_future_reads(std::exchange(total_.future_read_graphs, {}));
            for (std::uint64_t more = small_search; goes_on(); more *= 2) explore(more);
            total_.add(explorer_->take_tally());
        }
    }

    void explore_with_workers() {
        estimate();
        workers all(*explorer_, what_, options_);
        do {
            const auto until = std::min(until_pause(), std::max(save_next_, clock::now() + shortest_share));
            all.explore(until, total_, progress_);
            if (goes_on()) pause();
        } while (goes_on() && !total_.decides());
    }

    void estimate() {
        if (clock::now() >= deadline_ || is_shard()) return;
        size_.probe(explorer_->runner(), ways_at_a_time, deadline_);
        progress_.expected = std::max(size_.mean(), static_cast<double>(progress_.executions));
        progress_.expected_error = size_.error();
    }

    // In parts if there is a checkpoint.
    void explore(std::uint64_t more_runs) {
        for (std::uint64_t left = more_runs; left > 0 && goes_on();) {
            const std::uint64_t before = explorer_->runs();
            explorer_->work().end_at(over_at());
            explorer_->explore(checkpoint_.wanted() ? std::min(left, runs_between_saves) : left, until_pause());
            left -= std::min(left, explorer_->runs() - before);
            if (goes_on()) pause();
        }
    }

    [[nodiscard]] bool goes_on() const {
        return !explorer_->done() && !stop_requested() && clock::now() < deadline_ && !portfolio_.decided();
    }

    // When nobody goes on with what is left. A checkpoint is gone on with.
    [[nodiscard]] clock::time_point over_at() const {
        return checkpoint_.wanted() ? clock::time_point::max() : deadline_;
    }

    // When the search is to interrupt the exploration.
    [[nodiscard]] clock::time_point until_pause() const { return std::min(deadline_, portfolio_.next()); }

    void pause() {
        save_if_due();
        if (clock::now() >= portfolio_.next()) portfolio_.attend();
    }

    // Its violations are real. Finding none says nothing: the search was cut short.
    void take_portfolio_results() {
        const tally& seen = portfolio_.seen();
        result_.seen.graphs = total_.executions + total_.blocked;
        result_.seen.pairs = pairs_of(total_.sites);
        result_.seen.newest_pair_after = std::min(std::uint64_t{progress_.newest_pair_after}, total_.executions);
        if (!cut_short_) return;
        result_.portfolio_results = portfolio_.results();
        total_.search_facts.add(seen.search_facts);
        merge_sites(seen.sites, total_.sites);
        merge_accepted(seen.accepted, total_.accepted);
        result_.seen.more_pairs = pairs_of(total_.sites) - result_.seen.pairs;
        if (seen.found) total_.keep_simpler(*seen.found);
        cut_short_ = !total_.found;
    }

    [[nodiscard]] clock::time_point next_save() const {
        return deadline_after(std::max(options_.checkpoint.seconds, 1e-9));
    }

    // A checkpoint has no violation: a search that found one is about to end. If the file cannot be written now,
    // perhaps it can later; the previous one is still there, and nothing of this search is lost.
    void save_if_due() {
        if (!checkpoint_.wanted() || clock::now() < save_next_) return;
        total_.add(explorer_->take_tally());
        try {
            if (!total_.found && total_.search_facts.refused.empty() && total_.refuted.empty()) save_checkpoint();
        } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): see above
        }
        save_next_ = next_save();
    }

    void save_checkpoint() {
        part_of_search part;
        part.counted = total_;
        part.counted.search_facts.memory_bound = false;  // of this process: a search that resumes may use more
        part.division = division_;
        part.learned = explorer_->reduction_of_graphs().export_state();
        part.mixed = options_.mixed;
        part.spinloop_sites = explorer_->runner().interpreter().thread_visits.sites().names();
        const work_stack& work = explorer_->work();
        for (std::size_t i = 0; i < work.size(); ++i) part.work.push_back(work[i]);
        checkpoint_.save(part);
    }

    void random() {
        random_runs one_more(explorer_->runner(), options_.strategy, deadline_);
        const interpreter& interpreter = explorer_->runner().interpreter();
        while (total_.executions + total_.blocked < options_.strategy.bound && !total_.found &&
               !interpreter.run_end.refused() && interpreter.search_facts.mixed.empty()) {
            const bool ends = one_more.is_over();
            if (ends || (total_.runs % 64 == 63 && beyond_memory_limit())) {
                total_.search_facts.memory_bound = !ends;
                cut_short_ = true;
                break;
            }
            const bool violated = one_more.run_one(total_);
            progress_.steps = interpreter.operation_accounting.total_steps();
            progress_.executions = total_.executions;
            if (violated) note_found(progress_, total_.found->kind);
        }
        total_.add(explorer_->take_tally());
        if (!total_.search_facts.mixed.empty()) total_.refuted = some_sizes_are_mixed;
    }

    void judge() {
        if (!is_random(options_.strategy.mode)) take_portfolio_results();
        total_.copy_to(result_);
        result_.threads = total_.search_facts.threads;
        result_.concurrent = !what_.instrumented || total_.search_facts.concurrent || total_.search_facts.synchronised;
        result_.limits = limits_of({.what = what_,
                                    .options = options_,
                                    .explored = *explorer_,
                                    .progress = progress_,
                                    .total = total_,
                                    .unfinished_shards = unfinished_shards_,
                                    .cut_short = cut_short_,
                                    .time_is_over = clock::now() >= deadline_},
                                   result_);
        if (is_shard())
            result_.part = serialise({.counted = total_,
                                      .work = {},
                                      .learned = explorer_->reduction_of_graphs().export_state(),
                                      .division = division_,
                                      .unfinished = cut_short_});
        if (total_.found) {
            keep_those_of_a_violation(result_.limits);
            return shown().show(*total_.found);
        }
        if (!total_.search_facts.refused.empty()) {
            result_.message = total_.search_facts.refused;
            return;
        }
        result_.complete = !cut_short_;
        result_.stopped = cut_short_ && stop_requested();
        if (is_shard()) {
            result_.verdict = verdict::held_within;
            return;
        }
        if (what_.instrumented && explorer_->runner().saw_nothing()) {
            result_.message =
                "nothing that its threads did was seen: is what they run compiled for the model, as the trial is?";
            return;
        }
        if (blind()) {
            result_.message = blind_search_message(what_.instrumented);
            return;
        }
        result_.verdict = leave_anything_out(result_.limits) ? verdict::held_within : verdict::held;
        require_executions(result_, total_.search_facts.false_assumption);
    }

    // A search is blind if its threads never share an object: their shared data has no type of the policy, or their
    // synchronisation serves nothing, so no interleaving matters. Without a policy non-atomic data is seen, and that
    // threads use it without synchronisation (say, neighbouring array elements) is a result. A search that was cut
    // short before any thread ran is not blind; and if something was not checked, the threads may have shared that.
    [[nodiscard]] bool blind() const {
        const bool unseen =
            std::ranges::any_of(result_.limits, [](const limit& each) { return each.effect == limit_effect::unseen; });
        const bool needs_sharing = !what_.instrumented || total_.search_facts.synchronised;
        return total_.search_facts.threads > 1 && needs_sharing && !total_.search_facts.threads_shared_object &&
               !unseen && !total_.search_facts.length_bound;
    }

    [[nodiscard]] shown_execution shown() { return {what_, options_, explorer_->runner(), deadline_, result_}; }

    const scenario& what_;
    search_options options_;
    search_progress& progress_;
    watchdog watchdog_;  // before the members that it lets continue after a fault
    instrumented_search_scope globals_;
    clock::time_point begin_;
    clock::time_point deadline_;
    std::optional<explorer> explorer_;
    portfolio portfolio_;
    checkpoint checkpoint_;
    clock::time_point save_next_ = clock::time_point::max();
    size_estimate size_;
    tally total_;
    bool cut_short_ = false;
    bool told_apart_ = false;  ///< threads that were taken for interchangeable were seen not to be
    std::string division_;     ///< of a shard
    std::vector<unsigned> unfinished_shards_;
    search_result result_;
};

}  // namespace

search_result search_graphs(const scenario& what, const search_options& options, search_progress& progress) {
    return search_session(what, options, progress).search();
}

}  // namespace ordeal::detail::graph
