// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/trace_relations.hpp"

#include "ordeal/engine/search_report.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_steps = 1'000;  // every pair is examined

class sequential_order {
public:
    explicit sequential_order(const trace& steps) : steps_(steps), relations_(steps), left_(steps.size()) {
        for (std::size_t b = 0; b < steps.size(); ++b) {
            for (std::size_t a = 0; a < steps.size(); ++a) {
                if (a != b && must_precede(a, b)) {
                    after_.emplace(a, b);
                    ++left_[b];
                }
            }
        }
    }

    // Positions in the trace, in their new order; fewer than all if there is a cycle.
    [[nodiscard]] std::vector<std::size_t> find() {
        std::vector<std::size_t> order;
        std::vector<bool> done(steps_.size());
        for (int thread = -1; order.size() < steps_.size();) {
            auto next = first_of(thread, done);
            for (std::size_t i = 0; !next && i < steps_.size(); ++i) {
                if (!done[i] && left_[i] == 0) next = i;
            }
            if (!next) break;
            thread = steps_[*next].thread;
            done[*next] = true;
            order.push_back(*next);
            const auto [begin, end] = after_.equal_range(*next);
            for (auto each = begin; each != end; ++each) --left_[each->second];
        }
        return order;
    }

private:
    [[nodiscard]] bool is_outside(std::size_t step) const { return steps_[step].thread < 0; }

    [[nodiscard]] bool must_precede(std::size_t a, std::size_t b) const {
        const trace_step& one = steps_[a];
        const trace_step& other = steps_[b];
        if (one.thread == other.thread || is_outside(a) || is_outside(b)) return a < b;
        if (b + 1 == steps_.size()) return true;  // the violation is last
        if (relations_.source_of(b) == a || relations_.happens_before(a, b)) return true;
        if (!relations_.overlap(a, b) || notifies_atomic(one) || notifies_atomic(other)) return false;
        if (!one.where.atomic || !other.where.atomic) return a < b && is_kept(one, other);
        if (one.object != other.object || !other.coherence) return false;
        if (one.coherence) return *one.coherence < *other.coherence;
        return trace_relations::reads_atomic(one) && relations_.coherence_position_read(a) < *other.coherence;
    }

    // It accesses no value.
    static bool notifies_atomic(const trace_step& step) {
        return step.kind() == step_kind::notify && step.is_about(object_kind::atomic);
    }

    // Conflicting non-atomic accesses and lock operations keep their order.
    static bool is_kept(const trace_step& one, const trace_step& other) {
        return one.access == step_access::write || other.access == step_access::write;
    }

    [[nodiscard]] std::optional<std::size_t> first_of(int thread, const std::vector<bool>& done) const {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (done[i] || steps_[i].thread != thread) continue;
            if (left_[i] == 0) return i;
            break;
        }
        return std::nullopt;
    }

    const trace& steps_;
    trace_relations relations_;
    std::multimap<std::size_t, std::size_t> after_;
    std::vector<std::size_t> left_;  ///< the number of steps that must still precede it
};

trace in_order(const trace& steps, const std::vector<std::size_t>& order) {
    trace result;
    for (const std::size_t each : order) {
        result.push_back(steps[each]);
        result.back().stale = false;
    }
    return result;
}

}  // namespace

std::optional<trace> as_interleaving(const trace& steps) {
    const bool left_out = std::ranges::any_of(steps, is_gap);
    if (left_out || steps.size() > most_steps) return std::nullopt;
    const std::vector<std::size_t> order = sequential_order(steps).find();
    if (order.size() != steps.size()) return std::nullopt;
    return in_order(steps, order);
}

}  // namespace ordeal::detail
