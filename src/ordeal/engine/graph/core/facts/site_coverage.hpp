// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// The atomic sites that the runs of a search reached, and those at which a value crossed threads.
class site_coverage {
public:
    explicit site_coverage(const run_state& run) : run_(run) {}

    void reach(site_id site) { mark(site, site_was_reached); }
    /// A fence reads nothing itself; it counts as crossed when it is reached while other threads exist.
    void cross(site_id site) { mark(site, site_was_crossed); }
    void hand_over(site_id site) { mark(site, site_release_used); }
    void take_over(site_id site) { mark(site, site_acquire_used); }
    [[nodiscard]] bool hands_over(site_id site) const { return has(site, site_release_used); }
    /// A read by the running thread. Does not count if creating and joining threads orders the two.
    void note_crossing(event_id rf, site_id reader) {
        if (rf == initial_write || !run_.views[rf].done) return;
        const event& write = (*run_.graph)[rf];
        if (write.thread_id == run_.thread_id) return;
        read(run_.views[rf].site, reader);
        if (run_.on_main_thread() || run_.self().fork_join_hb.contains(write)) return;
        cross(run_.views[rf].site);
        cross(reader);
    }
    /// A value stored before there were other threads is read by one of them.
    void note_first_value(const object& target, event_id rf, site_id reader) {
        if (rf != initial_write || target.set_at == no_site || run_.thread_id == 1 || run_.on_main_thread()) return;
        read(target.set_at, reader);
    }

    /// By site id, as in sites_of().
    [[nodiscard]] const std::vector<std::uint8_t>& all() const noexcept { return flags_; }
    [[nodiscard]] const std::vector<std::vector<site_id>>& writers() const noexcept { return writers_; }
    /// The number of pairs in writers().
    [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }

private:
    void mark(site_id site, std::uint8_t flag) {
        if (!has(site, flag)) [[unlikely]]
            add(site, flag);
    }
    [[nodiscard]] bool has(site_id site, std::uint8_t flag) const {
        return site < flags_.size() && (flags_[site] & flag) != 0;
    }
    void read(site_id writer, site_id reader) {
        if (reader >= writers_.size() || std::ranges::find(writers_[reader], writer) == writers_[reader].end())
            [[unlikely]]
            add_writer(writer, reader);
    }
    void add(site_id site, std::uint8_t flag);
    void add_writer(site_id writer, site_id reader);

    const run_state& run_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::vector<site_id>> writers_;  // by site id of the reader; few each
    std::uint64_t pairs_ = 0;
};

/// The site of a read that has been run; of a compare-exchange that has not stored, its failure site.
[[nodiscard]] site_id site_of_read(const run_state& run, event_id read);

/// The site of a non-atomic access or a call of instrumented code.
[[nodiscard]] site_id site_of(const code_location& at);

}  // namespace ordeal::detail::graph
