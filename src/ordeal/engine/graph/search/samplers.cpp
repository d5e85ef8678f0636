// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/samplers.hpp"

#include "ordeal/engine/engine.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::detail::graph {

std::uint64_t sampler::below(std::uint64_t bound) {
    return bound <= 1 ? 0 : std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
}

bool sampler::must_stop() const { return stop_requested() || clock::now() >= deadline_; }

void decision_recorder::begin() { made_ = {}; }

void decision_recorder::note_thread(const runnable_thread& thread) {
    if (made_.schedule.empty() || made_.schedule.back().thread_id != thread.id)
        made_.schedule.push_back({thread.id, 0});
    made_.schedule.back().until = thread.operations + 1;
}

void decision_recorder::note_choice(std::size_t taken) {
    if (taken == 0 || made_.schedule.empty()) return;
    made_.deviations.push_back({made_.schedule.back().thread_id, made_.schedule.back().until, taken});
}

void sampler::begin() {
    recorder_.begin();
    unusual_in_ = unusual_in[below(unusual_in.size())];
    begin_execution();
}

std::size_t sampler::choose(std::size_t usual, std::size_t count) {
    if (count == 1) return 0;
    const bool is_usual = usual == count || below(unusual_in_) != 0;
    const std::size_t taken = is_usual ? below(usual) : usual + below(count - usual);
    recorder_.note_choice(taken);
    return taken;
}

int sampler::choose_thread(std::span<const runnable_thread> threads) {
    const runnable_thread& chosen = threads[next_of(threads)];
    recorder_.note_thread(chosen);
    return chosen.id;
}

void priority_sampler::begin_execution() {
    longest_ = std::max(longest_, event_);
    event_ = 0;
    priorities_.clear();
    changes_.clear();
    for (unsigned i = 1; i < depth_; ++i) changes_.push_back(below(longest_) + 1);
}

std::size_t priority_sampler::next_of(std::span<const runnable_thread> threads) {
    ++event_;
    const auto priority_of = [&](const runnable_thread& each) -> std::uint64_t& {
        const auto [at, is_new] = priorities_.try_emplace({each.id, each.predecessors});
        if (is_new) at->second = depth_ + below(~std::uint64_t{0} >> 1U);
        return at->second;
    };
    const auto highest = [&] {
        return static_cast<std::size_t>(std::ranges::max_element(threads, {}, priority_of) - threads.begin());
    };
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        if (changes_[i] == event_) priority_of(threads[highest()]) = i + 1;
    }
    return highest();
}

std::size_t partial_order_sampler::next_of(std::span<const runnable_thread> threads) {
    const auto priority_of = [&](const runnable_thread& each) {
        const auto [at, is_new] = priorities_.try_emplace(each.id);
        if (is_new) at->second = random()();
        return at->second;
    };
    const auto chosen = std::ranges::max_element(threads, {}, priority_of);
    for (const runnable_thread& each : threads) {
        if (each.id == chosen->id || each.next.conflicts_with(chosen->next)) priorities_.erase(each.id);
    }
    return static_cast<std::size_t>(chosen - threads.begin());
}

void selective_sampler::begin_execution() {
    before_ = std::exchange(now_, {});
    std::unordered_map<std::uintptr_t, int> threads_at;
    for (const auto& [id, counts] : before_) {
        for (const auto& [address, count] : counts.operations) ++threads_at[address];
    }
    std::vector<std::uintptr_t> shared;
    for (const auto& [address, threads] : threads_at) {
        if (threads > 1) shared.push_back(address);
    }
    std::ranges::sort(shared);  // the same executions for the same seed
    selected_ = shared.empty() ? 0 : shared[below(shared.size())];
    left_.clear();
    next_ = -1;
    if (selected_ == 0) return;
    for (const auto& [id, counts] : before_) {
        const auto at = counts.operations.find(selected_);
        if (at == counts.operations.end()) continue;
        for (int of = id; of != main_thread_id;) {
            left_[of] += at->second;
            const auto its = before_.find(of);
            of = its == before_.end() ? main_thread_id : its->second.creator;
        }
    }
}

// Whose operation at the selected address comes next.
void selective_sampler::draw(std::span<const runnable_thread> threads) {
    const auto left = [&](const runnable_thread& each) {
        const auto at = left_.find(each.id);
        return at == left_.end() ? 0 : at->second;
    };
    std::uint64_t all = 0;
    for (const runnable_thread& each : threads) all += left(each);
    if (all == 0) {
        next_ = threads[below(threads.size())].id;
        return;
    }
    std::uint64_t at = below(all);
    for (const runnable_thread& each : threads) {
        if (at < left(each)) {
            next_ = each.id;
            return;
        }
        at -= left(each);
    }
}

// Its operations were counted with those of its creator until now.
void selective_sampler::note_new(std::span<const runnable_thread> threads) {
    for (const runnable_thread& each : threads) {
        const auto [its, is_new] = now_.try_emplace(each.id);
        if (!is_new) continue;
        its->second.creator = each.creator;
        const auto mine = left_.find(each.id);
        const auto of_creator = left_.find(each.creator);
        if (mine == left_.end() || of_creator == left_.end()) continue;
        of_creator->second -= std::min(of_creator->second, mine->second);
    }
}

std::size_t selective_sampler::next_of(std::span<const runnable_thread> threads) {
    note_new(threads);
    const auto is_selected = [&](const runnable_thread& each) {
        return selected_ != 0 && each.next.address == selected_;
    };
    const auto is_next = [&](const runnable_thread& each) { return each.id == next_; };
    // It waits for the one that is next to come to its operation at the selected address.
    const auto is_held = [&](const runnable_thread& each) { return is_selected(each) && !is_next(each); };
    if (std::ranges::none_of(threads, is_next)) draw(threads);
    const auto held = static_cast<std::size_t>(std::ranges::count_if(threads, is_held));
    std::size_t ahead = below(threads.size() - held);
    std::size_t chosen = 0;
    while (is_held(threads[chosen]) || ahead-- != 0) ++chosen;
    const runnable_thread& its = threads[chosen];
    if (its.next.address != 0) ++now_[its.id].operations[its.next.address];
    if (is_selected(its)) {
        const auto left = left_.find(its.id);
        if (left != left_.end() && left->second > 0) --left->second;
        next_ = -1;
    }
    return chosen;
}

std::unique_ptr<sampler> make_sampler(const search_strategy& how, sampler::clock::time_point deadline) {
    switch (how.mode) {
        case search_mode::pct: return std::make_unique<priority_sampler>(how.seed, how.depth, deadline);
        case search_mode::pos: return std::make_unique<partial_order_sampler>(how.seed, deadline);
        case search_mode::surw: return std::make_unique<selective_sampler>(how.seed, deadline);
        default: return std::make_unique<random_walk>(how.seed, deadline);
    }
}

}  // namespace ordeal::detail::graph
