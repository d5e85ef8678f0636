// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/state/execution_state.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/model/byte_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// Which atomic sites the runs of a search have reached, and at which of them a value crossed threads.
class site_marks {
public:
    explicit site_marks(const execution_state& run) : run_(run) {}

    void reach(site_id site) { mark(site, site_was_reached); }
    /// A fence reads nothing itself: that it was reached is all there is to say.
    void cross(site_id site) { mark(site, site_was_crossed); }
    /// A read by the running thread.
    void note_crossing(event_id rf, site_id reader) {
        if (rf == initial_write || (*run_.graph)[rf].thread_id == run_.thread_id) return;
        read(run_.views[rf].site, reader);
    }
    /// The same: what was stored before there were other threads is read by one of them.
    void note_first_value(const object& target, event_id rf, site_id reader) {
        if (rf != initial_write || target.set_at == no_site || run_.thread_id == 1 || run_.alone()) return;
        read(target.set_at, reader);
    }

    /// By site id, as sites_of() has it.
    [[nodiscard]] const std::vector<std::uint8_t>& all() const noexcept { return marks_; }
    [[nodiscard]] const std::vector<std::vector<site_id>>& writers() const noexcept { return writers_; }
    /// How many of those there are.
    [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }

private:
    void mark(site_id site, std::uint8_t flag) {
        if (site >= marks_.size()) [[unlikely]]
            make_room_for(site);
        marks_[site] |= flag;
    }
    void read(site_id writer, site_id reader) {
        cross(writer);
        cross(reader);
        if (reader >= writers_.size() || std::ranges::find(writers_[reader], writer) == writers_[reader].end())
            [[unlikely]]
            add_writer(writer, reader);
    }
    void make_room_for(site_id site);
    void add_writer(site_id writer, site_id reader);

    const execution_state& run_;
    std::vector<std::uint8_t> marks_;
    std::vector<std::vector<site_id>> writers_;  // by site id of the reader; few each
    std::uint64_t pairs_ = 0;
};

/// Of a plain access or a call of instrumented code.
[[nodiscard]] site_id site_of(const code_point& at);

}  // namespace ordeal::graph
