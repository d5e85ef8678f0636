// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/trace_relations.hpp"

#include <set>

namespace ordeal::detail {

namespace {

bool is_non_atomic(const trace_step& step) {
    return !step.where.atomic && !is_about_lock(step) && step.access != step_access::none;
}

std::uint64_t entry(const std::vector<std::uint64_t>& clock, int thread) {
    const auto index = static_cast<std::size_t>(thread);
    return index < clock.size() ? clock[index] : 0;
}

}  // namespace

bool is_about_lock(const trace_step& step) noexcept {
    return step.is_about(object_kind::mutex) || step.is_about(object_kind::condition);
}

bool is_fence(const trace_step& step) noexcept {
    return (step.operation.starts_with("fence") || step.operation.ends_with("fence") ||
            step.where.key.what == role::fence) &&
           step.address == 0;
}

trace_relations::trace_relations(const trace& steps)
    : steps_(&steps), before_(steps.size()), after_(steps.size()), source_(steps.size()), has_event_(steps.size()) {
    std::map<int, std::size_t> last;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        // Of two steps with one number the first is the write: a violation may follow it in the same step.
        by_index_.emplace(steps[i].index, i);
        if (steps[i].thread < 0) continue;
        if (const auto found = last.find(steps[i].thread); found != last.end()) {
            before_[i] = found->second;
            after_[found->second] = i;
        }
        // Non-atomic accesses have none, nor do joins.
        const std::uint64_t known = before_[i] ? entry(steps[*before_[i]].clock, steps[i].thread) : 0;
        has_event_[i] = !is_non_atomic(steps[i]) && entry(steps[i].clock, steps[i].thread) > known;
        last[steps[i].thread] = i;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].reads_from) continue;
        if (const auto found = by_index_.find(*steps[i].reads_from); found != by_index_.end())
            source_[i] = found->second;
    }
}

// By the clock, as described in docs/reference/reading-a-trace.md.
bool trace_relations::happens_before(std::size_t a, std::size_t b) const {
    const trace_step& earlier = (*steps_)[a];
    const trace_step& later = (*steps_)[b];
    if (earlier.thread == later.thread || earlier.thread < 0 || later.thread < 0) return a < b;
    const std::uint64_t own = entry(earlier.clock, earlier.thread);
    const std::uint64_t known = entry(later.clock, earlier.thread);
    return has_event_[a] ? known >= own : known > own;
}

std::optional<std::size_t> trace_relations::notification_of(std::size_t step) const {
    const auto& by = (*steps_)[step].woken_by;
    const auto found = by ? by_index_.find(*by) : by_index_.end();
    if (found == by_index_.end()) return std::nullopt;
    return found->second;
}

std::optional<std::size_t> trace_relations::overwritten_by(std::size_t write) const {
    const trace_step& now = (*steps_)[write];
    if (now.access != step_access::write) return std::nullopt;
    const auto precedes = [&](std::size_t i) {
        const trace_step& other = (*steps_)[i];
        if (other.access != step_access::write || !overlap(i, write)) return false;
        if (!now.coherence || !other.coherence || now.object != other.object) return i < write;
        return *other.coherence + 1 == *now.coherence;
    };
    for (std::size_t i = size(); i-- > 0;) {
        if (!precedes(i)) continue;
        if ((*steps_)[i].thread == now.thread) return std::nullopt;
        return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> trace_relations::before_at_same_bytes(std::size_t step) const {
    for (auto each = before_[step]; each; each = before_[*each]) {
        if (overlap(*each, step)) return each;
    }
    return std::nullopt;
}

std::vector<std::size_t> trace_relations::last_of_threads(std::size_t step) const {
    std::vector<std::size_t> result;
    std::set<int> seen;
    for (std::size_t i = step; i-- > 0;) {
        if ((*steps_)[i].thread >= 0 && seen.insert((*steps_)[i].thread).second) result.push_back(i);
    }
    return result;
}

bool trace_relations::overlap(std::size_t a, std::size_t b) const {
    const trace_step& one = (*steps_)[a];
    const trace_step& other = (*steps_)[b];
    if (one.size == 0 || other.size == 0) return false;
    return one.address < other.address + other.size && other.address < one.address + one.size;
}

bool trace_relations::conflict(std::size_t a, std::size_t b) const {
    const trace_step& one = (*steps_)[a];
    const trace_step& other = (*steps_)[b];
    if (one.thread == other.thread || !overlap(a, b)) return false;
    if (one.where.atomic && other.where.atomic) return false;
    return one.access == step_access::write || other.access == step_access::write;
}

bool trace_relations::reads_atomic(const trace_step& step) noexcept { return step.where.atomic && step.before; }

bool trace_relations::writes_atomic(const trace_step& step) noexcept { return step.where.atomic && step.after; }

std::uint32_t trace_relations::coherence_position_read(std::size_t read) const {
    const auto source = source_[read];
    return source ? (*steps_)[*source].coherence.value_or(0) : 0;
}

}  // namespace ordeal::detail
