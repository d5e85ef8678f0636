// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/portfolio.hpp"

#include "ordeal/engine/graph/search/portfolio_slices.hpp"
#include "ordeal/engine/seconds_since.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ordeal::detail::graph {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;
using clock = portfolio::clock;

// Most searches finish earlier.
constexpr seconds first_seconds{2};
// In less time two kinds of search are not worthwhile.
constexpr double shortest_budget = 1;
constexpr milliseconds shortest_slice{100};
constexpr seconds longest_slice{10};
// The share of the time for all slices together. A search with a time budget is not expected to finish once they begin.
constexpr int share_without_budget = 4;
constexpr int share_with_budget = 2;
// A run may take longer than the rest of a slice.
constexpr seconds grace{2};

// Estimates are uncertain: a search that may well finish is left alone.
constexpr double clearly = 2;
constexpr double soon_enough = 60;

clock::time_point begins_at(const search_options& options, clock::time_point now) {
    // A shard is a part of a search, and adding up shards is no search.
    const bool whole = options.shard.count == 0 && options.shard.parts.empty();
    if (options.strategy.mode != search_mode::automatic || options.replay || !whole) return clock::time_point::max();
    if (options.resources.seconds <= 0) return now + first_seconds;
    if (options.resources.seconds < shortest_budget) return clock::time_point::max();
    const auto quarter = std::chrono::duration_cast<clock::duration>(duration<double>(options.resources.seconds / 4));
    return now + std::min<clock::duration>(first_seconds, quarter);
}

}  // namespace

portfolio::portfolio(const scenario& what, const search_options& options, search_progress& progress,
                     std::optional<explorer>& mine, clock::time_point deadline)
    : what_(what),
      options_(options),
      progress_(progress),
      mine_(mine),
      began_(clock::now()),
      deadline_(deadline),
      next_(begins_at(options, began_)) {
    sides_[spurious_failures].over = options.bounds.spurious == 0 && options.bounds.reuse == 0;
}

bool portfolio::all_over() const noexcept {
    return std::ranges::all_of(sides_, [](const one& each) { return each.over; });
}

// After the present one; the same if no other is left.
portfolio::side portfolio::next_side() const noexcept {
    side next = slice_;
    do {
        next = static_cast<side>((next + 1) % sides);
    } while (sides_[next].over && next != slice_);
    return next;
}

// Uses the search's own estimate if there is one: it ignores interchangeable threads.
bool portfolio::will_not_end() const {
    const auto done = static_cast<double>(progress_.executions);
    const double least = progress_.expected - progress_.expected_error;
    if (done == 0 || least <= done || mine_->reduction_of_graphs().leaves_out()) return true;
    const double needed = seconds_since(began_) * least / done;
    return needed > clearly * (options_.resources.seconds > 0 ? options_.resources.seconds : soon_enough);
}

void portfolio::attend() {
    if (sides_[slice_].process && sides_[slice_].process->busy()) return collect(slice_ends_ + grace);
    if (!begun_ && !will_not_end()) {
        const auto now = clock::now();
        next_ = now + (now - began_);
        return;
    }
    begun_ = true;
    begin_slice();
    if (options_.resources.jobs <= 1) collect(slice_ends_ + grace);
}

portfolio_process& portfolio::process_of(side which) {
    one& its = sides_[which];
    if (its.process) return *its.process;
    const auto slices_of = [&](const auto& slices) {
        return [this, slices](clock::time_point until) {
            mine_.reset();  // stacks have fixed addresses, so only one explorer may exist
            return serialise(slices->take(until));
        };
    };
    using bound_of = bounded_slices::bound_of;
    if (which == samples) {
        its.process =
            std::make_unique<portfolio_process>(slices_of(std::make_shared<sampling_slices>(what_, options_)));
    } else {
        const bound_of bound = which == preemptions ? bound_of::preemptions : bound_of::spurious_failures;
        its.process =
            std::make_unique<portfolio_process>(slices_of(std::make_shared<bounded_slices>(what_, options_, bound)));
    }
    return *its.process;
}

void portfolio::begin_slice() {
    if (sides_[slice_].over) slice_ = next_side();
    if (sides_[slice_].over) {
        next_ = clock::time_point::max();
        return;
    }
    slice_began_ = clock::now();
    const clock::duration owed =
        (slice_began_ - began_) / (options_.resources.seconds > 0 ? share_with_budget : share_without_budget);
    const clock::duration length = std::clamp<clock::duration>(
        owed - spent_, shortest_slice, std::chrono::duration_cast<clock::duration>(longest_slice));
    slice_ends_ = next_ = std::min(deadline_, slice_began_ + length);
    process_of(slice_).begin_slice(slice_ends_);
}

void portfolio::collect(clock::time_point until) {
    one& now = sides_[slice_];
    if (!now.process || !now.process->busy()) return;
    const auto text = now.process->answer(until);
    spent_ += clock::now() - slice_began_;
    auto result = text ? parse_slice(*text) : std::nullopt;
    if (result) {
        take(std::move(*result));
    } else {
        now.over = true;
    }
    if (now.over) now.process.reset();
    if (!std::exchange(asked_, true)) {
        begun_ = false;  // the first slice estimates, and may show that there is no need
        next_ = clock::now();
        return;
    }
    slice_ = next_side();
    plan();
}

void portfolio::take(slice_result result) {
    one& now = sides_[slice_];
    now.results = std::move(result.results);
    now.over = result.over;
    seen_.add(result.counted);
    std::uint64_t executions = 0;
    for (const one& each : sides_) {
        for (const portfolio_result& made : each.results) executions += made.executions;
    }
    progress_.portfolio_executions = executions;
    if (progress_.expected == 0 && result.expected > 0) {
        progress_.expected = std::max(result.expected, static_cast<double>(progress_.executions));
        progress_.expected_error = result.expected_error;
    }
    if (seen_.found) note_found(progress_, seen_.found->kind);
}

// Not before a slice of some length fits again; slices become longer over time.
void portfolio::plan() {
    if (decided() || all_over()) {
        next_ = clock::time_point::max();
        return;
    }
    const int share = options_.resources.seconds > 0 ? share_with_budget : share_without_budget;
    const clock::duration gone = clock::now() - began_;
    const clock::duration length = std::clamp<clock::duration>(gone / 16, shortest_slice, longest_slice);
    // When the share of the elapsed time has room for it.
    next_ = began_ + std::max(gone, (spent_ + length) * share);
}

// The last slice was to end with the time of the search.
void portfolio::finish() {
    if (!begun_) return;
    collect(std::min(deadline_, slice_ends_) + grace);
    next_ = clock::time_point::max();
}

std::vector<portfolio_result> portfolio::results() const {
    std::vector<portfolio_result> result;
    for (const one& each : sides_) result.insert(result.end(), each.results.begin(), each.results.end());
    std::erase_if(result, [](const portfolio_result& each) { return each.executions == 0 && !each.complete; });
    return result;
}

}  // namespace ordeal::detail::graph
