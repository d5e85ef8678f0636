// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/search/estimates.hpp"
#include "ordeal/engine/graph/search/random_executions.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// The result of a time slice.
struct slice_result {
    std::vector<portfolio_result> results;  ///< all so far
    tally counted;                          ///< by this slice
    double expected = 0;                    ///< executions of the whole search, estimated; 0: not known
    double expected_error = 0;
    bool over = false;  ///< nothing is left to try
};

[[nodiscard]] std::string serialise(const slice_result& slice);
/// Nothing if the text is not a complete result.
[[nodiscard]] std::optional<slice_result> parse_slice(std::string_view text);

/// In the first slice an estimate of the size of the search; in the others executions by POS and by SURW, half each.
class sampling_slices {
public:
    sampling_slices(const scenario& what, const search_options& options) : what_(what), options_(options) {}

    /// Must be called in a process without another explorer.
    [[nodiscard]] slice_result take(explorer::clock::time_point until);

private:
    struct kind {
        kind(execution_runner& on, const portfolio_result& how)
            : result(how), runs(on, {.mode = how.mode, .seed = how.seed}, explorer::clock::time_point::max()) {}

        portfolio_result result;
        random_runs runs;
        distinct_graphs different;
    };

    void begin(explorer::clock::time_point until, slice_result& result);
    void sample(kind& each, explorer::clock::time_point until, slice_result& result);

    const scenario& what_;
    search_options options_;
    search_progress unseen_;
    std::optional<explorer> explorer_;
    std::deque<kind> kinds_;
};

/// Explores all executions within a bound of 0, then of 1, and so on. It bounds preemptions, or spurious failures of
/// each thread together with reuses of freed memory. The search itself must then have a bound of those above 0: the
/// slices stay below it, and end once a bound leaves nothing out.
class bounded_slices {
public:
    enum class bound_of : std::uint8_t { preemptions, spurious_failures };

    bounded_slices(const scenario& what, const search_options& options, bound_of which);

    /// Must be called in a process without another explorer.
    [[nodiscard]] slice_result take(explorer::clock::time_point until);

private:
    void begin_bound();
    [[nodiscard]] bool leaves_some_out(tally& counted) const;

    const scenario& what_;
    const execution_bounds own_;
    const bound_of which_;
    search_options options_;
    search_progress unseen_;
    std::optional<explorer> explorer_;
    std::vector<portfolio_result> results_;
    bool left_some_out_ = false;
    bool over_ = false;
};

}  // namespace ordeal::detail::graph
