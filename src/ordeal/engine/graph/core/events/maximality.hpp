// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Which events of a graph were added maximally (TruSt): as if the search always chose the co-maximal write, and
/// had seen only Previous(e), which is the events up to `e` and those in the porf prefix of the new write. Then exactly
/// one graph leads to the one with `e` deleted or changed.
///
/// Never maximal: what fails or ends spuriously; another variant than the first; an allocation of a freed block; and a
/// lock for which an earlier one was deleted, which would read from it.
class maximality {
public:
    /// For a new write with this porf prefix.
    void begin(const execution_graph& graph, const view& porf) {
        clear(graph.size(), false);
        for (std::size_t i = 0; i < graph.size(); ++i) {
            const event& each = graph[static_cast<event_id>(i)];
            if (!porf.contains(each)) continue;
            may_be_previous_[i] = 1;
            if (each.reads_event()) read_before_[each.read().rf] = 1;
            if (each.is_write()) raise(latest_at(each.where), each.write().co);
        }
    }

    /// For any new write: what is not maximal then is maximal for none.
    void begin_for_any_write(const execution_graph& graph) { clear(graph.size(), true); }

    /// Asked of each event, in the order of insertion.
    [[nodiscard]] bool is_maximally_added(const execution_graph& graph, event_id id) {
        const event& each = graph[id];
        if (!each.accesses_memory()) return !each.is_spurious() && !each.takes_freed_block();
        coherence_position latest_of_part = 0;
        if (each.is_part_load()) [[unlikely]]
            latest_of_part = latest_for(graph, id);
        coherence_position& latest = each.is_part_load() ? latest_of_part : latest_at(each.where);
        if (each.is_write()) {
            const bool maximal = latest <= each.write().co && read_before_[id] == 0;
            raise(latest, each.write().co);
            return maximal;
        }
        const read_data& read = each.read();
        const bool chosen_first = !read.spurious && !read.deletes_blocked_lock && read.variant == 0;
        if (read.rf == initial_write) return chosen_first && latest == 0;
        read_before_[read.rf] = 1;
        return chosen_first && (read.rf <= id || may_be_previous_[read.rf] != 0) && latest <= graph[read.rf].write().co;
    }

private:
    struct slot {
        location where = no_location;
        std::uint64_t generation = 0;
        coherence_position co = 0;
    };

    static void raise(coherence_position& latest, coherence_position co) noexcept { latest = std::max(latest, co); }

    void clear(std::size_t events, bool for_any_write) {
        for_any_write_ = for_any_write;
        may_be_previous_.assign(events, for_any_write ? 1 : 0);
        read_before_.assign(events, 0);
        if (slots_.size() < 2 * events) slots_.assign(std::bit_ceil(2 * events), {});
        ++generation_;
        last_ = none;
    }

    // The latest position in coherence among the writes to a location that are known so far.
    [[nodiscard]] coherence_position& latest_at(location where) noexcept {
        if (last_ != none && slots_[last_].where == where) return slots_[last_].co;
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = (where * 0x9e3779b97f4a7c15u >> 32) & mask;
        while (slots_[i].generation == generation_ && slots_[i].where != where) i = (i + 1) & mask;
        if (slots_[i].generation != generation_) slots_[i] = {where, generation_, 0};
        last_ = i;
        return slots_[i].co;
    }

    // The latest position among the writes that a load of a part may read from.
    [[nodiscard]] coherence_position latest_for(const execution_graph& graph, event_id read) const noexcept {
        coherence_position result = 0;
        for (std::size_t i = 0; i < graph.size(); ++i) {
            const event& each = graph[static_cast<event_id>(i)];
            const bool known = i < read || (!for_any_write_ && may_be_previous_[i] != 0);
            if (known && each.where == graph[read].where && each.is_write() && graph[read].may_read(each))
                result = std::max(result, each.write().co);
        }
        return result;
    }

    static constexpr std::size_t none = ~std::size_t{0};

    std::vector<std::uint8_t> may_be_previous_;  ///< to every event, being in the porf prefix
    std::vector<std::uint8_t> read_before_;      ///< of a write: by a read that is in the prefix or was added before
    std::vector<slot> slots_;                    ///< a hash table by location
    std::uint64_t generation_ = 0;
    bool for_any_write_ = false;
    std::size_t last_ = none;  ///< the slot asked for last: as a rule the next event is at the same location
};

}  // namespace ordeal::detail::graph
