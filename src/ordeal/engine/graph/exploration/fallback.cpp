// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/fallback.hpp"

#include "ordeal/engine/graph/exploration/fallback_turns.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ordeal::graph {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;
using clock = fallback::clock;

// Most searches are over before.
constexpr seconds first_seconds{2};
// Below that there is no time for two kinds of search.
constexpr double shortest_budget = 1;
constexpr milliseconds shortest_turn{100};
constexpr seconds longest_turn{10};
// Of the time, for all turns together. A search with a time budget is not expected to be finished when they begin.
constexpr int share_without_budget = 4;
constexpr int share_with_budget = 2;
// A run may be longer than what is left of a turn.
constexpr seconds grace{2};

// What is expected is uncertain: a search that may well be finished is left alone.
constexpr double clearly = 2;
constexpr double soon_enough = 60;

clock::time_point begins_at(const search_options& how, clock::time_point now) {
    // A shard is a part of a search, and what is added up from shards is over.
    const bool whole = how.shards == 0 && how.parts.empty();
    if (how.mode != search_mode::automatic || how.replay || !whole) return clock::time_point::max();
    if (how.seconds <= 0) return now + first_seconds;
    if (how.seconds < shortest_budget) return clock::time_point::max();
    const auto quarter = std::chrono::duration_cast<clock::duration>(duration<double>(how.seconds / 4));
    return now + std::min<clock::duration>(first_seconds, quarter);
}

}  // namespace

fallback::fallback(const scenario& what, const search_options& how, search_progress& progress,
                   std::optional<explorer>& mine, clock::time_point deadline)
    : what_(what),
      how_(how),
      progress_(progress),
      mine_(mine),
      began_(clock::now()),
      deadline_(deadline),
      next_(begins_at(how, began_)) {}

// By its own estimate, where it has one: that takes no account of interchangeable threads.
bool fallback::will_not_end() const {
    const auto done = static_cast<double>(progress_.executions);
    const double least = progress_.expected - progress_.expected_error;
    if (done == 0 || least <= done || mine_->symmetric()) return true;
    const double needed = duration<double>(clock::now() - began_).count() * least / done;
    return needed > clearly * (how_.seconds > 0 ? how_.seconds : soon_enough);
}

void fallback::attend() {
    if (sides_[turn_].process && sides_[turn_].process->busy()) return collect(turn_ends_ + grace);
    if (!begun_ && !will_not_end()) {
        const auto now = clock::now();
        next_ = now + (now - began_);
        return;
    }
    begun_ = true;
    begin_turn();
    if (how_.jobs <= 1) collect(turn_ends_ + grace);
}

helper& fallback::process_of(side which) {
    one& its = sides_[which];
    if (its.process) return *its.process;
    const auto turns_of = [&](const auto& turns) {
        return [this, turns](clock::time_point until) {
            mine_.reset();  // stacks have their addresses, so there is one explorer at a time
            return serialise(turns->take(until));
        };
    };
    its.process = which == samples ? std::make_unique<helper>(turns_of(std::make_shared<sampling_turns>(what_, how_)))
                                   : std::make_unique<helper>(turns_of(std::make_shared<bounded_turns>(what_, how_)));
    return *its.process;
}

void fallback::begin_turn() {
    if (sides_[turn_].over) turn_ = turn_ == samples ? bounds : samples;
    if (sides_[turn_].over) {
        next_ = clock::time_point::max();
        return;
    }
    turn_began_ = clock::now();
    const clock::duration owed = (turn_began_ - began_) / (how_.seconds > 0 ? share_with_budget : share_without_budget);
    const clock::duration length = std::clamp<clock::duration>(
        owed - spent_, shortest_turn, std::chrono::duration_cast<clock::duration>(longest_turn));
    turn_ends_ = next_ = std::min(deadline_, turn_began_ + length);
    process_of(turn_).begin_turn(turn_ends_);
}

void fallback::collect(clock::time_point until) {
    one& now = sides_[turn_];
    if (!now.process || !now.process->busy()) return;
    const auto text = now.process->answer(until);
    spent_ += clock::now() - turn_began_;
    auto result = text ? parse_turn(*text) : std::nullopt;
    if (result) {
        take(std::move(*result));
    } else {
        now.over = true;
    }
    if (now.over) now.process.reset();
    if (!std::exchange(asked_, true)) {
        begun_ = false;  // what was an estimate may say that there is no need
        next_ = clock::now();
        return;
    }
    turn_ = turn_ == samples ? bounds : samples;
    plan();
}

void fallback::take(turn_result result) {
    one& now = sides_[turn_];
    now.tried = std::move(result.tried);
    now.over = result.over;
    seen_.add(result.counted);
    std::uint64_t executions = 0;
    for (const one& each : sides_) {
        for (const tried_search& tried : each.tried) executions += tried.executions;
    }
    progress_.tried = executions;
    if (progress_.expected == 0 && result.expected > 0) {
        progress_.expected = std::max(result.expected, static_cast<double>(progress_.executions));
        progress_.expected_error = result.expected_error;
    }
    if (seen_.found) note_found(progress_, seen_.found->kind);
}

// Not before a turn is of some length again: with time that is the longer, the later it is.
void fallback::plan() {
    if (decided() || (sides_[samples].over && sides_[bounds].over)) {
        next_ = clock::time_point::max();
        return;
    }
    const int share = how_.seconds > 0 ? share_with_budget : share_without_budget;
    const clock::duration gone = clock::now() - began_;
    const clock::duration length = std::clamp<clock::duration>(gone / 16, shortest_turn, longest_turn);
    // From when the share of what is over by then has room for it.
    next_ = began_ + std::max(gone, (spent_ + length) * share);
}

// The last turn was to end with the time of the search.
void fallback::finish() {
    if (!begun_) return;
    collect(std::min(deadline_, turn_ends_) + grace);
    next_ = clock::time_point::max();
}

std::vector<tried_search> fallback::tried() const {
    std::vector<tried_search> result = sides_[samples].tried;
    result.insert(result.end(), sides_[bounds].tried.begin(), sides_[bounds].tried.end());
    std::erase_if(result, [](const tried_search& each) { return each.executions == 0 && !each.complete; });
    return result;
}

}  // namespace ordeal::graph
