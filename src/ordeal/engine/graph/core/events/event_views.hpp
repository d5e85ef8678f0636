// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// What a run computes about an event of its graph; not kept between runs.
struct event_views {
    view hb;                 ///< happens-before, the event itself included
    view porf;               ///< program order and reads-from, the event itself included
    view hb_before_acquire;  ///< of a read or a fence: happens-before without what it acquires
    view message_view;       ///< of a write: what happens before an acquire that reads from it
    std::uint32_t step = 0;
    site_id site = no_site;
    bool may_be_rmw = false;  ///< a read by an operation that may write, whether it does or not
    bool done = false;        ///< run in this execution

    /// Equivalent to assigning a new object, but cheaper.
    void renew() noexcept {
        for (view* const each : {&hb, &porf, &hb_before_acquire, &message_view}) each->clear();
        step = 0;
        site = no_site;
        may_be_rmw = done = false;
    }
};

/// The views of the events of a graph, by id. In a long execution they would take most of its memory, and the time to
/// get it: there the older ones can be packed, without the lanes that no view uses. A packed one is unpacked for each
/// access, and is not changed any more.
class views_table {
public:
    views_table() = default;
    explicit views_table(std::size_t size) : recent_(size) {}

    [[nodiscard]] std::size_t size() const noexcept { return packed_ + recent_.size(); }
    [[nodiscard]] std::size_t packed() const noexcept { return packed_; }
    /// Of a packed event: valid until `unpacked_at_once` others were asked for.
    [[nodiscard]] const event_views& operator[](std::size_t id) const noexcept {
        if (id < packed_) [[unlikely]]
            return unpacked(id);
        return recent_[id - packed_];
    }
    [[nodiscard]] event_views& operator[](std::size_t id) noexcept {
        if (id < packed_) [[unlikely]]
            return unpacked(id);
        return recent_[id - packed_];
    }

    /// So many new ones.
    void renew(std::size_t size) {
        chunks_.clear();
        packed_ = 0;
        recent_.resize(size);
        for (event_views& each : recent_) each.renew();
    }
    /// Those that are packed stay.
    void resize(std::size_t size) { recent_.resize(size - packed_); }
    void pop_back() noexcept { recent_.pop_back(); }
    /// Packs the older ones, if there are many that are not. No reference into the table stays valid.
    void pack() {
        if (recent_.size() >= 2 * events_of_chunk) [[unlikely]]
            pack_chunk();
    }

    // Where none is packed.
    [[nodiscard]] const event_views* data() const noexcept { return recent_.data(); }
    [[nodiscard]] auto begin() noexcept { return recent_.begin(); }

    static constexpr std::size_t events_of_chunk = 4096;
    static constexpr std::size_t unpacked_at_once = 8;

private:
    struct facts {
        std::uint32_t step;
        site_id site;
        bool may_be_rmw;
        bool done;
    };
    struct chunk {
        std::size_t lanes = 0;
        std::vector<event_index> counts;  ///< of the four views of each event, lane by lane
        std::vector<facts> rest;
    };

    void pack_chunk();
    [[nodiscard]] event_views& unpacked(std::size_t id) const noexcept;

    std::vector<event_views> recent_;
    std::size_t packed_ = 0;  ///< the events before the recent ones
    std::vector<chunk> chunks_;
    mutable std::vector<event_views> unpacked_;  ///< used in turn
    mutable std::size_t next_unpacked_ = 0;
};

}  // namespace ordeal::detail::graph
