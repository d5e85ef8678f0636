// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation.hpp"
#include "ordeal/explain/explanation_parts.hpp"
#include "ordeal/explain/synchronisation.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::detail {

namespace {

/// Finds what a violated execution lacks, from its trace.
class remedy_reader {
public:
    explicit remedy_reader(const search_result& result) : steps_(result.trace) {
        const violation_ends ends = ends_of(steps_, result.kind.value_or(violation_kind::crash));
        if (ends.unordered) read_ways(*ends.first, *ends.second);
        // Without a path between the accesses, both threads have got to a point that only one of them should reach.
        if (result_.empty() && (ends.unordered || !ends.first)) read_cycle();
    }

    [[nodiscard]] std::vector<remedy> take() { return std::move(result_); }

private:
    // The path that lacks least, and for each edge that it lacks the next best path without that edge.
    void read_ways(std::size_t from, std::size_t to) {
        std::vector<step_link> best = nearly_ordered(steps_, from, to);
        read_links(best, false);
        for (const step_link& each : best) {
            if (!each.missing) continue;
            std::vector<step_link> other = nearly_ordered(steps_, from, to, std::pair(each.from, each.to));
            read_links(other, false);
        }
    }

    void read_cycle() {
        std::vector<step_link> cycle = missed_cycle(steps_);
        if (cycle.empty() || read_links(cycle, true)) return;
        remedy orders;
        remedy fences;
        for (const step_link& each : cycle) {
            for (const std::size_t step : {each.from, each.to}) strengthen(orders, step, order::seq_cst);
            if (each.relation != step_relation::program_order) continue;
            if (has_seq_cst_fence(steps_, each.from, each.to)) continue;
            fences.push_back(at(each.to, order::seq_cst));
            fences.back().position = override_position::before;
        }
        add(std::move(orders));
        add(std::move(fences));
    }

    // Returns whether some edge is missing and can be supplied.
    bool read_links(std::vector<step_link>& links, bool is_cycle) {
        mark_missing(steps_, links, is_cycle);
        remedy operations;
        remedy fences;  // existing ones that are too weak
        bool possible = false;
        for (std::size_t i = 0; i != links.size(); ++i) {
            if (!links[i].missing) continue;
            possible = true;
            const missing_orders lacks = lacking(steps_, links, i);
            if (!lacks.release && !lacks.acquire) return possible;  // something else prevents it
            const fence_room room = room_of(steps_, links, i);
            if (lacks.release) {
                release(operations, links[i].from);
                if (!release_by_fence(fences, room.entry, links[i].from)) release(fences, links[i].from);
            }
            if (lacks.acquire) {
                acquire(operations, links[i].to);
                if (!acquire_by_fence(fences, links[i].to, room.exit)) acquire(fences, links[i].to);
            }
        }
        add(std::move(operations));
        add(std::move(fences));
        return possible;
    }

    void release(remedy& to, std::size_t step) { strengthen(to, step, with_release(now(step))); }
    void acquire(remedy& to, std::size_t step) { strengthen(to, step, with_acquire(now(step))); }
    bool release_by_fence(remedy& to, std::size_t from, std::size_t write) {
        const std::vector<std::size_t> fences = fences_between(steps_, from, write);
        if (!fences.empty()) release(to, fences.back());
        return !fences.empty();
    }
    bool acquire_by_fence(remedy& to, std::size_t read, std::size_t until) {
        const std::vector<std::size_t> fences = fences_between(steps_, read, until);
        if (!fences.empty()) acquire(to, fences.front());
        return !fences.empty();
    }

    [[nodiscard]] order now(std::size_t step) const { return steps_[step].using_order.value_or(order::relaxed); }

    [[nodiscard]] order_override at(std::size_t step, order with) const {
        const site& where = steps_[step].where;
        return {where.key, with, where.declared, override_position::instead};
    }

    // As far as the operation allows: a failed compare-exchange cannot release.
    void strengthen(remedy& to, std::size_t step, order with) const {
        const site& where = steps_[step].where;
        if (where.atomic && with != now(step) && allowed(where.key.what, with)) to.push_back(at(step, with));
    }

    void add(remedy what) {
        std::ranges::sort(what);
        what.erase(std::ranges::unique(what).begin(), what.end());
        if (!what.empty() && std::ranges::find(result_, what) == result_.end()) result_.push_back(std::move(what));
    }

    trace_relations steps_;
    std::vector<remedy> result_;
};

}  // namespace

std::vector<remedy> remedies_of(const search_result& result) {
    if (result.verdict != verdict::violated || result.trace.empty()) return {};
    return remedy_reader(result).take();
}

}  // namespace ordeal::detail
