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

namespace ordeal::detail::graph {

struct slice_result;

/// What an automatic search does in parallel once it is not expected to finish in time: random executions by POS and by
/// SURW, rising bounds of spurious failures and reuses of memory, and of preemptions, in time slices, each in a process
/// of its own.
///
/// A violation found by one of them is a violation. That they find none says nothing about all executions.
class portfolio {
public:
    using clock = std::chrono::steady_clock;

    /// `mine`: the explorer of the search, not constructed yet; the processes destroy their copy.
    portfolio(const scenario& what, const search_options& options, search_progress& progress,
              std::optional<explorer>& mine, clock::time_point deadline);

    /// When attend() is to be called next; never: the end of time.
    [[nodiscard]] clock::time_point next() const noexcept { return next_; }
    /// Begins a slice, or takes the result of one. Waits for it if the search has a single process.
    void attend();
    /// The search has stopped before it was complete: takes the result of the running slice.
    void finish();

    /// Whether the portfolio has decided the search.
    [[nodiscard]] bool decided() const noexcept {
        return seen_.found.has_value() || !seen_.search_facts.refused.empty();
    }
    /// Of all slices: violations, sites, limits; no outcomes.
    [[nodiscard]] const tally& seen() const noexcept { return seen_; }
    [[nodiscard]] std::vector<portfolio_result> results() const;

private:
    /// In the order in which they have their slices.
    enum side : std::uint8_t { samples, spurious_failures, preemptions, sides };
    struct one {
        std::unique_ptr<portfolio_process> process{};
        std::vector<portfolio_result> results{};
        bool over = false;
    };

    [[nodiscard]] bool will_not_end() const;
    [[nodiscard]] bool all_over() const noexcept;
    [[nodiscard]] side next_side() const noexcept;
    [[nodiscard]] portfolio_process& process_of(side which);
    void begin_slice();
    void collect(clock::time_point until);
    void take(slice_result result);
    void plan();

    const scenario& what_;
    const search_options& options_;
    search_progress& progress_;
    std::optional<explorer>& mine_;
    clock::time_point began_;
    clock::time_point deadline_;
    clock::time_point next_;
    std::array<one, sides> sides_;
    side slice_ = samples;
    bool asked_ = false;  ///< the estimate was requested
    bool begun_ = false;
    clock::time_point slice_began_;
    clock::time_point slice_ends_;
    clock::duration spent_{};
    tally seen_;
};

}  // namespace ordeal::detail::graph
