// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/random_executions.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/difficulty.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

std::uint64_t random_choices::below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
}

void random_choices::begin(int threads) {
    longest_ = std::max(longest_, event_);
    event_ = 0;
    if (depth_ == 0) return;
    // The priorities of PCT: depth .. depth + threads - 1 at first, 1 .. depth - 1 for those lowered.
    for (int i = 0; i < threads; ++i) priorities_[static_cast<std::size_t>(i) + 1] = depth_ + static_cast<unsigned>(i);
    std::shuffle(priorities_.begin() + 1, priorities_.begin() + 1 + threads, random_);
    changes_.clear();
    for (unsigned i = 1; i < depth_; ++i) changes_.push_back(below(longest_) + 1);
}

bool random_choices::nobody_goes_on() const { return stop_requested() || clock::now() >= deadline_; }

std::size_t random_choices::choose(std::size_t count) { return count == 1 ? 0 : below(count); }

int random_choices::choose_thread(std::span<const int> thread_ids) {
    ++event_;
    if (depth_ == 0) return thread_ids[choose(thread_ids.size())];
    const auto highest = [&] {
        return *std::ranges::max_element(
            thread_ids, {}, [&](int thread_id) { return priorities_[static_cast<std::size_t>(thread_id)]; });
    };
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i] == event_) priorities_[static_cast<std::size_t>(highest())] = static_cast<unsigned>(i + 1);
    }
    return highest();
}

random_runs::random_runs(const scenario& what, execution_runner& runs, std::uint64_t seed, unsigned depth,
                         random_choices::clock::time_point deadline)
    : runner_(runs),
      threads_(what.instrumented ? static_cast<int>(max_thread_ids) - 1 : static_cast<int>(what.threads.size())),
      choices_(seed, depth, deadline) {}

const violation* random_runs::run_one(tally& counted) {
    graph_.clear();
    choices_.begin(threads_);
    const ending ended = runner_.run(graph_, choices_);
    ++counted.runs;
    if (ended == ending::abandoned && choices_.is_over()) return nullptr;
    runner_.count_outcome();
    counted.blocked += ended == ending::blocked || ended == ending::abandoned ? 1 : 0;
    counted.executions += ended == ending::complete || ended == ending::violated ? 1 : 0;
    if (ended == ending::complete || ended == ending::violated ||
        (ended == ending::blocked && runner_.interpreter().run_end.ended_at_accepted())) {
        merge_accepted(runner_.interpreter().run.accepted, counted.accepted);
    }
    if (ended != ending::violated) return nullptr;
    const violation& found = *runner_.interpreter().run_end.found();
    counted.keep_simpler({graph_, found.kind, found.message, difficulty(graph_)});
    return &found;
}

}  // namespace ordeal::detail::graph
