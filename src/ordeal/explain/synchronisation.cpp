// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/synchronisation.hpp"

#include <algorithm>
#include <limits>

namespace ordeal::detail {

namespace {

// Within a library its order is nobody's to change.
bool is_fence_of_source(const trace_step& step) { return step.using_order && is_fence(step); }

bool is_read_modify_write(const trace_step& step) {
    return trace_relations::reads_atomic(step) && trace_relations::writes_atomic(step);
}

struct edge {
    std::size_t from;
    step_relation relation;
    bool missing;
};

// The writes that this read would synchronise with: the one that it reads from and, if that is a read-modify-write,
// those before it up to the head of the release sequence.
std::vector<std::size_t> sources_of(const trace_relations& steps, std::size_t read) {
    std::vector<std::size_t> result;
    for (auto each = steps.source_of(read); each && steps[*each].thread >= 0; each = steps.source_of(*each)) {
        result.push_back(*each);
        if (!is_read_modify_write(steps[*each])) break;
    }
    return result;
}

std::vector<edge> edges_into(const trace_relations& steps, std::size_t step) {
    std::vector<edge> result;
    if (const auto before = steps.before_in_thread(step))
        result.push_back({*before, step_relation::program_order, false});
    if (trace_relations::reads_atomic(steps[step])) {
        for (const std::size_t each : sources_of(steps, step)) {
            if (steps[each].thread == steps[step].thread) continue;
            result.push_back({each, step_relation::reads_from, !steps.happens_before(each, step)});
        }
    }
    for (const std::size_t each : synchronises_from(steps, step))
        result.push_back({each, step_relation::happens_before, false});
    return result;
}

// The violation itself is no operation that was performed: nothing reads from it.
class cheapest_way {
public:
    cheapest_way(const trace_relations& steps, std::size_t from, std::size_t to,
                 std::optional<std::pair<std::size_t, std::size_t>> without)
        : steps_(steps), without_(without), cost_(steps.size(), unreached), by_(steps.size()) {
        cost_[to] = 0;
        // Edges go forward, except reads-from in an execution that is no interleaving.
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = steps.size(); i-- > 0;) changed |= cost_[i] != unreached && relax(i);
        }
        reached_ = cost_[from] != unreached;
        for (std::size_t at = from; reached_ && at != to;) {
            way_.push_back({at, by_[at].from, by_[at].relation, by_[at].missing, {}});
            at = by_[at].from;
        }
    }

    [[nodiscard]] std::vector<step_link> take() { return std::move(way_); }

private:
    static constexpr std::uint64_t unreached = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t of_missing = 1'000'000;

    // Whether a path through `step` is better for one of its predecessors.
    bool relax(std::size_t step) {
        bool changed = false;
        for (const edge& each : edges_into(steps_, step)) {
            const std::uint64_t length = each.relation == step_relation::happens_before ? 3 : 2;
            const std::uint64_t cost = cost_[step] + (each.missing ? of_missing : 0) + length;
            if (cost >= cost_[each.from] || without_ == std::pair(each.from, step)) continue;
            cost_[each.from] = cost;
            by_[each.from] = {step, each.relation, each.missing};  // here `from` is the target of the edge
            changed = true;
        }
        return changed;
    }

    const trace_relations& steps_;
    std::optional<std::pair<std::size_t, std::size_t>> without_;
    std::vector<std::uint64_t> cost_;
    std::vector<edge> by_;
    std::vector<step_link> way_;
    bool reached_ = false;
};

// Merges consecutive steps of one thread: only the first and the last matter.
std::vector<step_link> without_stops(const std::vector<step_link>& way) {
    std::vector<step_link> result;
    for (const step_link& each : way) {
        const bool goes_on = !result.empty() && each.relation == step_relation::program_order &&
                             result.back().relation == step_relation::program_order;
        if (goes_on) {
            result.back().to = each.to;
        } else {
            result.push_back(each);
        }
    }
    return result;
}

bool some_fence(const trace_relations& steps, std::size_t from, std::size_t to, bool (*wanted)(order) noexcept) {
    for (std::size_t i = from; i <= to; ++i) {
        if (steps[i].thread == steps[from].thread && is_fence_of_source(steps[i]) && wanted(*steps[i].using_order))
            return true;
    }
    return false;
}

}  // namespace

std::vector<std::size_t> synchronises_from(const trace_relations& steps, std::size_t step) {
    std::vector<std::size_t> result;
    std::vector<int> seen{steps[step].thread};
    const auto above = steps.before_in_thread(step);
    for (std::size_t i = step; i-- > 0;) {
        const int thread = steps[i].thread;
        if (thread < 0 || std::ranges::find(seen, thread) != seen.end() || !steps.happens_before(i, step)) continue;
        seen.push_back(thread);
        if (!above || !steps.happens_before(i, *above)) result.push_back(i);
    }
    return result;
}

order with_release(order value) noexcept {
    if (releases(value)) return value;
    return value == order::acquire ? order::acq_rel : order::release;
}

order with_acquire(order value) noexcept {
    if (acquires(value)) return value;
    return value == order::release ? order::acq_rel : order::acquire;
}

missing_orders lacking(const trace_relations& steps, std::size_t entry, std::size_t write, std::size_t read,
                       std::size_t exit) {
    const auto order_at = [&](std::size_t step) { return steps[step].using_order.value_or(order::relaxed); };
    return {!releases(order_at(write)) && !some_fence(steps, entry, write, &releases),
            !acquires(order_at(read)) && !some_fence(steps, read, exit, &acquires)};
}

bool has_seq_cst_fence(const trace_relations& steps, std::size_t from, std::size_t to) {
    return some_fence(steps, from, to, [](order value) noexcept { return value == order::seq_cst; });
}

std::vector<step_link> nearly_ordered(const trace_relations& steps, std::size_t from, std::size_t to,
                                      std::optional<std::pair<std::size_t, std::size_t>> without) {
    return without_stops(cheapest_way(steps, from, to, without).take());
}

void mark_missing(const trace_relations& steps, std::vector<step_link>& links, bool is_cycle) {
    const auto others = std::ranges::count_if(links, [](const step_link& each) {
        return each.relation == step_relation::from_read || each.relation == step_relation::coherence;
    });
    for (step_link& each : links) {
        const bool could_order = each.relation == step_relation::reads_from && (!is_cycle || others == 1);
        each.missing = could_order && !steps.happens_before(each.from, each.to);
    }
}

fence_room room_of(const trace_relations& steps, const std::vector<step_link>& links, std::size_t link) {
    const step_link& each = links[link];
    const std::size_t entry =
        link > 0 && steps[links[link - 1].from].thread == steps[each.from].thread ? links[link - 1].from : each.from;
    const std::size_t exit = link + 1 < links.size() && steps[links[link + 1].to].thread == steps[each.to].thread
                                 ? links[link + 1].to
                                 : each.to;
    return {std::min(entry, each.from), std::max(exit, each.to)};
}

missing_orders lacking(const trace_relations& steps, const std::vector<step_link>& links, std::size_t link) {
    const fence_room room = room_of(steps, links, link);
    return lacking(steps, room.entry, links[link].from, links[link].to, room.exit);
}

std::vector<std::size_t> fences_between(const trace_relations& steps, std::size_t from, std::size_t to) {
    std::vector<std::size_t> result;
    for (std::size_t i = from; i <= to; ++i) {
        const bool written = steps[i].where.atomic && steps[i].where.key.what == role::fence;
        if (steps[i].thread == steps[from].thread && written && is_fence_of_source(steps[i])) result.push_back(i);
    }
    return result;
}

}  // namespace ordeal::detail
