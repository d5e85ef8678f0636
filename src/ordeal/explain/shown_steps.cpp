// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation_parts.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_shown = 14;  // with the conclusion they fit on one terminal page
// Steps that communicate nothing are shown if the page would otherwise be empty.
constexpr std::size_t most_with_non_atomic_steps = 8;

// How close a step is to the cause; the closest first.
enum class rank : std::uint8_t { core, crossing, synchronising, non_atomic, none };

class ranking {
public:
    ranking(const trace_relations& steps, const std::vector<std::size_t>& core)
        : steps_(steps), core_(core), ranks_(steps.size(), rank::none) {
        for (const std::size_t each : core) add(each, rank::core);
        while (!work_.empty()) {
            const std::size_t next = work_.back();
            work_.pop_back();
            follow(next);
        }
    }

    [[nodiscard]] rank of(std::size_t step) const { return ranks_[step]; }

private:
    void add(std::size_t step, rank as) {
        if (ranks_[step] != rank::none && ranks_[step] <= as) return;
        const bool crossed = ranks_[step] <= rank::crossing;
        ranks_[step] = as;
        if (as <= rank::crossing && !crossed) work_.push_back(step);
    }

    // Ranks what precedes an important step, in its thread and at the write that it read from.
    void follow(std::size_t step) {
        if (const auto source = steps_.source_of(step); source && steps_[*source].thread >= 0) {
            add(*source, rank::crossing);
        }
        if (steps_[step].thread < 0) {
            // finish() comes after all operations of the threads.
            for (std::size_t i = 0; i < step; ++i) rank_earlier(i);
            return;
        }
        for (auto each = steps_.before_in_thread(step); each; each = steps_.before_in_thread(*each))
            rank_earlier(*each);
    }

    void rank_earlier(std::size_t step) {
        const trace_step& earlier = steps_[step];
        if (steps_.reads_another_thread(step)) {
            add(step, rank::crossing);
        } else if (earlier.where.atomic || is_about_control(earlier) || is_of_core(step)) {
            add(step, rank::synchronising);
        } else {
            add(step, rank::non_atomic);
        }
    }

    // Whether the step is about the bytes of the violation.
    [[nodiscard]] bool is_of_core(std::size_t step) const {
        return std::ranges::any_of(core_, [&](std::size_t each) { return steps_.overlap(each, step); });
    }

    static bool is_about_control(const trace_step& step) {
        return step.object.starts_with("frame") || step.object.starts_with("mutex") ||
               step.object.starts_with("condition") || step.access == step_access::none;
    }

    const trace_relations& steps_;
    const std::vector<std::size_t>& core_;
    std::vector<rank> ranks_;
    std::vector<std::size_t> work_;
};

// "a" ... "z", "aa", "ab" ...
std::string letter(std::size_t number) {
    std::string text;
    for (std::size_t rest = number + 1; rest > 0; rest = (rest - 1) / 26) {
        text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % 26));
    }
    return text;
}

// Whether the step is redundant beside another one.
bool is_silent(const trace_relations& steps, std::size_t at) {
    const trace_step& step = steps[at];
    // A block is freed directly after the object in it.
    const auto before = steps.before_in_thread(at);
    if (step.operation == "free" && before && steps[*before].operation == "free" && steps.overlap(at, *before))
        return true;
    return step.operation.starts_with("construct") || step.operation == "allocate" || step.operation == "blocks";
}

}  // namespace

std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core) {
    const ranking ranks(steps, core);
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (ranks.of(i) == rank::none) continue;
        if (ranks.of(i) == rank::core || (steps[i].thread >= 0 && !is_silent(steps, i))) candidates.push_back(i);
    }
    // The latest of a rank come first: they are closest to the violation.
    std::ranges::sort(candidates, [&](std::size_t a, std::size_t b) {
        return ranks.of(a) != ranks.of(b) ? ranks.of(a) < ranks.of(b) : a > b;
    });
    const auto always = static_cast<std::size_t>(
        std::ranges::count_if(candidates, [&](std::size_t i) { return ranks.of(i) == rank::core; }));
    const auto before_non_atomic = static_cast<std::size_t>(
        std::ranges::count_if(candidates, [&](std::size_t i) { return ranks.of(i) < rank::non_atomic; }));
    const std::size_t most =
        std::max(always, std::min(most_shown, std::max(before_non_atomic, most_with_non_atomic_steps)));
    candidates.resize(std::min(candidates.size(), most));
    std::ranges::sort(candidates);
    std::vector<std::string> letters(steps.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) letters[candidates[i]] = letter(i);
    return letters;
}

}  // namespace ordeal::detail
