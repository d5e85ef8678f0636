// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/read_request.hpp"
#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/graph/core/run/run_end.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Atomics while no other thread exists: in construction, finish() and destruction, and in the only thread before it
/// creates others. Each read has one value, and no event is added. All of it happens before what follows.
class single_threaded_memory {
public:
    single_threaded_memory(run_state& run, run_end& run_end, site_coverage& coverage)
        : run_(run), run_end_(run_end), site_coverage_(coverage) {}

    [[nodiscard]] seen_value read(const object& target, const read_request& how, site_id site);
    /// `bytes`: what is written of it.
    void write(object& target, std::uint64_t value, site_id site, bool rmw, const footprint& bytes = {}) noexcept;
    /// A thread that only reads may do so for ever: from some point its reads are events, so that repetition is
    /// recognised. Called before an operation, as both halves of a read-modify-write are events or neither is.
    void note_read() noexcept;
    /// What the atomic holds from now on, in a certification.
    void give(object& target, std::uint64_t value) noexcept;

    /// After the threads, an atomic holds its co-maximal value.
    object& settled(object& target);
    /// The value for a non-atomic access that is ordered after all operations on the object.
    [[nodiscard]] std::uint64_t newest_value(object& of);
    /// The value of the latest write to it that was run, whatever its place in coherence.
    [[nodiscard]] std::uint64_t latest_value(const object& of, const footprint& bytes = {}) const noexcept;

private:
    template <class Place>
    [[nodiscard]] std::uint64_t value_of_last(const object& of, std::uint32_t first, const footprint& bytes,
                                              Place place) const noexcept;

    run_state& run_;
    run_end& run_end_;
    site_coverage& site_coverage_;
};

}  // namespace ordeal::detail::graph
