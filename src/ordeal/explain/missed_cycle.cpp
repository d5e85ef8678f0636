// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/search_report.hpp"
#include "ordeal/explain/explanation_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::size_t most_steps = 120;  // every pair is examined

class cycle_search {
public:
    explicit cycle_search(const trace_relations& steps) : steps_(steps) {
        for (std::size_t i = 0; i < steps.size() && nodes_.size() < most_steps; ++i) {
            if (steps[i].thread >= 0 && steps[i].where.atomic && !steps[i].object.empty()) nodes_.push_back(i);
        }
    }

    // A cycle that is not within happens-before has an edge of from-reads or coherence; each is tried as the last one.
    [[nodiscard]] std::vector<step_link> shortest() {
        std::vector<step_link> best;
        for (const std::size_t from : nodes_) {
            for (const std::size_t to : nodes_) {
                const auto last = relation(from, to);
                if (!last || (*last != step_relation::from_read && *last != step_relation::coherence)) continue;
                std::vector<step_link> way = way_between(to, from, best.empty() ? nodes_.size() : best.size());
                if (way.empty()) continue;
                way.push_back({from, to, *last, false, {}});
                if (best.empty() || way.size() < best.size()) best = std::move(way);
            }
        }
        return best;
    }

    /// The shortest one of program order and reads-from alone that `read`, of what `source` writes later, closes.
    [[nodiscard]] std::vector<step_link> shortest_late(std::size_t read, std::size_t source) {
        without_order_of_writes_ = true;
        std::vector<step_link> way = way_between(read, source, nodes_.size());
        if (!way.empty()) way.push_back({source, read, step_relation::reads_from, false, {}});
        return way;
    }

private:
    [[nodiscard]] std::optional<step_relation> relation(std::size_t a, std::size_t b) const {
        if (a == b) return std::nullopt;
        const trace_step& from = steps_[a];
        const trace_step& to = steps_[b];
        if (from.thread == to.thread) {
            if (a < b) return step_relation::program_order;
            return std::nullopt;
        }
        if (from.object != to.object) return std::nullopt;
        if (steps_.source_of(b) == a) return step_relation::reads_from;
        if (without_order_of_writes_) return std::nullopt;
        if (!trace_relations::writes_atomic(to) || !to.coherence) return std::nullopt;
        if (trace_relations::reads_atomic(from) && steps_.coherence_position_read(a) < *to.coherence) {
            return step_relation::from_read;
        }
        if (from.coherence && *from.coherence < *to.coherence) return step_relation::coherence;
        return std::nullopt;
    }

    // Breadth-first; a path of fewer than `most` edges.
    [[nodiscard]] std::vector<step_link> way_between(std::size_t from, std::size_t to, std::size_t most) {
        std::vector<std::size_t> reached{from};
        std::vector<std::optional<step_link>> by(steps_.size());
        for (std::size_t next = 0, length = 1, end = 1; next < reached.size() && length < most; ++next) {
            if (next == end) end = reached.size(), ++length;
            const std::size_t at = reached[next];
            for (const std::size_t each : nodes_) {
                if (by[each] || each == from) continue;
                const auto found = relation(at, each);
                if (!found) continue;
                by[each] = step_link{at, each, *found, false, {}};
                if (each == to) return unrolled(by, from, to);
                reached.push_back(each);
            }
        }
        return {};
    }

    static std::vector<step_link> unrolled(const std::vector<std::optional<step_link>>& by, std::size_t from,
                                           std::size_t to) {
        std::vector<step_link> way;
        for (std::size_t at = to; at != from; at = by[at]->from) way.push_back(*by[at]);
        std::ranges::reverse(way);
        return way;
    }

    const trace_relations& steps_;
    std::vector<std::size_t> nodes_;
    bool without_order_of_writes_ = false;
};

}  // namespace

std::vector<step_link> late_cycle(const trace_relations& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto source = steps.source_of(i);
        if (source && *source > i && steps[i].thread >= 0) return cycle_search(steps).shortest_late(i, *source);
    }
    return {};
}

std::vector<step_link> missed_cycle(const trace_relations& steps) {
    // The source of a read may be among the steps that were left out.
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (is_gap(steps[i])) return {};
    }
    return cycle_search(steps).shortest();
}

}  // namespace ordeal::detail
