// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/search/portfolio_process.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ordeal::graph {

struct slice_result;

/// What an automatic search does beside itself when it will not come to its end in time: random executions, PCT executions,
/// and rising bounds of preemptions, in turns, each in a process of its own.
///
/// A violation that one of them finds is a violation. That they find none says nothing about all executions.
class portfolio {
public:
    using clock = std::chrono::steady_clock;

    /// `mine`: the explorer of the search, which the processes put away; not constructed yet.
    portfolio(const scenario& what, const search_options& how, search_progress& progress, std::optional<explorer>& mine,
              clock::time_point deadline);

    /// When attend() is to be called next; never: the end of time.
    [[nodiscard]] clock::time_point next() const noexcept { return next_; }
    /// Begins a turn, or takes what one came to. Waits for that where the search has one process alone.
    void attend();
    /// The search has ended before it was finished: takes what the turn that goes on comes to.
    void finish();

    /// Whether the search is over because of it.
    [[nodiscard]] bool decided() const noexcept { return seen_.found.has_value() || !seen_.findings.refused.empty(); }
    /// By all turns: violations, sites and limits met; no outcomes.
    [[nodiscard]] const tally& seen() const noexcept { return seen_; }
    [[nodiscard]] std::vector<tried_search> tried() const;

private:
    enum side : std::uint8_t { samples, bounds, sides };
    struct one {
        std::unique_ptr<portfolio_process> process{};
        std::vector<tried_search> tried{};
        bool over = false;
    };

    [[nodiscard]] bool will_not_end() const;
    [[nodiscard]] portfolio_process& process_of(side which);
    void begin_slice();
    void collect(clock::time_point until);
    void take(slice_result result);
    void plan();

    const scenario& what_;
    const search_options& how_;
    search_progress& progress_;
    std::optional<explorer>& mine_;
    clock::time_point began_;
    clock::time_point deadline_;
    clock::time_point next_;
    std::array<one, sides> sides_;
    side slice_ = samples;
    bool asked_ = false;  ///< how many executions there are
    bool begun_ = false;
    clock::time_point slice_began_;
    clock::time_point slice_ends_;
    clock::duration spent_{};
    tally seen_;
};

}  // namespace ordeal::graph
