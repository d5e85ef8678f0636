// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// How many times in a row a thread has read the same from an atomic at each site: the same write, or a write of its
/// own with the same value.
class repeated_reads {
public:
    struct entry {
        site_id where = no_site;
        unsigned count = 0;
        location object = no_location;
        std::uint64_t value = 0;
        event_id rf = initial_write;
        event_index event = 0;  ///< index of the latest of them in its thread
    };

    void clear() noexcept { all_.clear(); }

    /// The count so far; 0 for a new pair.
    [[nodiscard]] entry at(site_id where, location object) const noexcept {
        for (const entry& each : all_) {
            if (each.where == where && each.object == object) return each;
        }
        return {};
    }

    void note(site_id where, const event& read, std::uint64_t value, bool own) {
        for (entry& each : all_) {
            if (each.where != where || each.object != read.where) continue;
            const bool same = each.value == value && (own || each.rf == read.read().rf);
            each = {where, same ? each.count + 1 : 1, read.where, value, read.read().rf, read.index};
            return;
        }
        all_.push_back({where, 1, read.where, value, read.read().rf, read.index});
    }

private:
    std::vector<entry> all_;
};

}  // namespace ordeal::detail::graph
