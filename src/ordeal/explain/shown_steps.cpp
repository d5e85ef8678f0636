// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation_parts.hpp"
#include "ordeal/explain/synchronisation.hpp"
#include "ordeal/runtime/standard_headers.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_shown = 14;  // with the conclusion they fit on one terminal page
// Steps that communicate nothing are shown if the page would otherwise be empty.
constexpr std::size_t most_with_private_steps = 4;

bool is_about_control(const trace_step& step) {
    return step.is_about(object_kind::frame) || is_about_lock(step) || step.access == step_access::none;
}

// A release of a semaphore notifies, and an acquisition loads the count first.
bool is_part_of_another(const trace_relations& steps, std::size_t at) {
    if (steps[at].kind() == step_kind::notify) return true;
    if (steps[at].kind() != step_kind::load || !is_within_library(steps[at].operation)) return false;
    std::size_t next = at + 1;
    while (next < steps.size() && steps[next].thread != steps[at].thread) ++next;
    return next < steps.size() && steps[next].object == steps[at].object && steps[next].kind() != step_kind::load;
}

bool has_place(const trace_step& step) { return !step.where.key.file.empty(); }

// Whether the step says nothing beside the others. `some_have_places`: the code on trial has debug information.
bool is_silent(const trace_relations& steps, std::size_t at, bool some_have_places) {
    const trace_step& step = steps[at];
    if (step.type.starts_with("std::counting_semaphore<") && is_part_of_another(steps, at)) return true;
    // A block is freed directly after the object in it.
    const auto before = steps.before_in_thread(at);
    const step_kind kind = step.kind();
    if (kind == step_kind::free && before && steps[*before].kind() == kind && steps.overlap(at, *before)) return true;
    // What a test framework does for itself, in its header or in a library of which nothing is known.
    if (some_have_places && (is_test_framework(step.where.key.file) || !has_place(step))) return true;
    return kind == step_kind::construct || kind == step_kind::allocate || kind == step_kind::blocks ||
           kind == step_kind::end_of_scope;
}

// How far each step is from the violation: the length of the shortest way back from a step of the core.
class distances {
public:
    /// Exact for the closest of those that may be shown, up to `most` of them; the others may be unreached.
    distances(const trace_relations& steps, const std::vector<std::size_t>& core, std::size_t most)
        : steps_(steps), length_(steps.size(), unreached), communicates_(steps.size()) {
        for (std::size_t i = 0; i < steps.size() && !some_have_places_; ++i) some_have_places_ = has_place(steps[i]);
        for (const std::size_t each : core) {
            communicates_[each] = true;
            reach(each, 0);
        }
        std::vector<bool> done(steps.size());
        unsigned last = 0;
        for (std::size_t shown = 0; !waiting_.empty();) {
            const auto [length, next] = waiting_.top();
            if (shown >= most && length > last) break;
            waiting_.pop();
            if (done[next]) continue;
            done[next] = true;
            last = length;
            if (steps_[next].where.atomic || is_about_control(steps_[next])) communicates_[next] = true;
            if (may_be_shown(next) && communicates_[next]) ++shown;
            follow(next);
        }
    }

    /// Every step of the core may be.
    [[nodiscard]] bool may_be_shown(std::size_t step) const {
        if (length_[step] == 0) return true;
        return length_[step] != unreached && steps_[step].thread >= 0 && !is_silent(steps_, step, some_have_places_);
    }

    [[nodiscard]] unsigned to(std::size_t step) const { return length_[step]; }
    /// Whether the step is more than an access to what only its thread knows of.
    [[nodiscard]] bool communicates(std::size_t step) const { return communicates_[step]; }

private:
    static constexpr unsigned unreached = std::numeric_limits<unsigned>::max();
    // Where a value comes from, or whose place it takes, says more than who was first, and that more than what a thread
    // did before.
    static constexpr unsigned of_value = 1;
    static constexpr unsigned of_synchronisation = 2;
    static constexpr unsigned of_program_order = 4;

    void reach(std::size_t step, unsigned length) {
        if (length >= length_[step]) return;
        length_[step] = length;
        waiting_.emplace(length, step);
    }
    void explain_by(std::optional<std::size_t> earlier, std::size_t step) {
        if (!earlier) return;
        if (communicates_[step]) communicates_[*earlier] = true;
        reach(*earlier, length_[step] + of_value);
    }

    void follow(std::size_t step) {
        explain_by(steps_.source_of(step), step);
        explain_by(steps_.notification_of(step), step);
        if (!is_about_control(steps_[step])) {
            explain_by(steps_.overwritten_by(step), step);
            explain_by(steps_.before_at_same_bytes(step), step);
        }
        const unsigned here = length_[step];
        if (steps_[step].thread >= 0) {
            if (const auto before = steps_.before_in_thread(step)) reach(*before, here + of_program_order);
            for (const std::size_t each : synchronises_from(steps_, step)) reach(each, here + of_synchronisation);
            return;
        }
        // finish() comes after all operations of the threads.
        for (const std::size_t each : steps_.last_of_threads(step)) reach(each, here + of_synchronisation);
    }

    const trace_relations& steps_;
    std::vector<unsigned> length_;
    std::vector<bool> communicates_;
    bool some_have_places_ = false;
    using waiting_step = std::pair<unsigned, std::size_t>;
    std::priority_queue<waiting_step, std::vector<waiting_step>, std::greater<>> waiting_;
};

// "a" ... "z", "aa", "ab" ...
std::string letter(std::size_t number) {
    std::string text;
    for (std::size_t rest = number + 1; rest > 0; rest = (rest - 1) / 26) {
        text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % 26));
    }
    return text;
}

// A lock without its unlock, before the next one, would seem to be taken twice; and an unlock without its lock would
// seem to be that of an earlier section.
void show_whole_critical_sections(const trace_relations& steps, std::vector<std::size_t>& shown) {
    std::vector<std::size_t> partners;
    const auto is_shown = [&](std::size_t step) { return std::ranges::find(shown, step) != shown.end(); };
    // The lock, or the unlock, of the same thread and mutex that is next to a step, before or after it.
    const auto neighbour = [&](std::size_t of, bool after) -> std::optional<std::size_t> {
        for (std::size_t i = of; after ? i + 1 < steps.size() : i > 0;) {
            i = after ? i + 1 : i - 1;
            if (steps[i].thread != steps[of].thread || steps[i].object != steps[of].object) continue;
            if (steps[i].kind() == step_kind::lock || steps[i].kind() == step_kind::unlock) return i;
        }
        return std::nullopt;
    };
    const auto is = [&](std::optional<std::size_t> step, step_kind wanted) {
        return step && steps[*step].kind() == wanted;
    };
    for (const std::size_t each : shown) {
        const bool locks = is(each, step_kind::lock);
        if (!locks && !is(each, step_kind::unlock)) continue;
        const auto partner = neighbour(each, locks);
        if (!is(partner, locks ? step_kind::unlock : step_kind::lock) || is_shown(*partner)) continue;
        const auto next = locks ? neighbour(*partner, true) : std::nullopt;
        if (!locks || (next && is_shown(*next))) partners.push_back(*partner);
    }
    shown.insert(shown.end(), partners.begin(), partners.end());
    std::ranges::sort(shown);
    shown.erase(std::ranges::unique(shown).begin(), shown.end());
}

}  // namespace

std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core) {
    const distances from_core(steps, core, most_shown);
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (from_core.may_be_shown(i)) candidates.push_back(i);
    }
    // Of steps that are equally far the latest come first.
    std::ranges::sort(candidates, {}, [&](std::size_t i) {
        return std::tuple(!from_core.communicates(i), from_core.to(i), steps.size() - i);
    });
    const auto counted = [&](auto&& which) {
        return static_cast<std::size_t>(std::ranges::count_if(candidates, which));
    };
    const std::size_t always = counted([&](std::size_t i) { return from_core.to(i) == 0; });
    const std::size_t communicating = counted([&](std::size_t i) { return from_core.communicates(i); });
    const std::size_t most = std::max(always, std::min(most_shown, std::max(communicating, most_with_private_steps)));
    candidates.resize(std::min(candidates.size(), most));
    std::ranges::sort(candidates);
    show_whole_critical_sections(steps, candidates);
    std::vector<std::string> letters(steps.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) letters[candidates[i]] = letter(i);
    return letters;
}

}  // namespace ordeal::detail
