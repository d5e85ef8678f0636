// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <functional>
#include <optional>

// Where load buffering matters. RC11 forbids cycles in the union of program order and reads-from; C++20 allows them,
// and processors that perform a store before an earlier load exhibit them. A search under RC11 has no such execution,
// but it sees where one begins:
//
//     thread T               other threads
//     R: reads x             ...
//     W: writes y            reads y from W
//                            ...
//                            S: writes x
//
// R precedes S in porf, but does not happen before it: if T performs W before R, R may read from S.
// docs/explanation/load-buffering.md proves that a program without this pattern has no execution beyond those of RC11.
namespace ordeal::detail::graph {

/// An instance of the pattern.
struct lb_pattern {
    event_id read;        ///< R: may read from `source`
    event_id promised;    ///< W: if it is performed before R, as a promise
    event_id source;      ///< S
    bool only_by_letter;  ///< C++20 lets R read from S, but no processor performs W before R
    bool ordered;         ///< R happens before S here, but not where R reads from S

    bool operator==(const lb_pattern&) const = default;
};

/// Whether no order keeps the future reads of a graph that was run from being delayed past the writes on which what
/// they read depends.
[[nodiscard]] bool future_reads_are_allowed(const execution_graph& graph, const views_table& views);

/// The value of a location before all writes, if it is known.
using initial_values = std::function<std::optional<std::uint64_t>(location)>;

/// Calls `visit` for the patterns that end in `source`, a write that has been run, until it returns false; first for
/// those that processors may show. They depend on the porf prefix of `source` alone. `from`: only those among the
/// events from there on, in a graph whose events follow in porf what they are inserted after.
/// `porf`: that prefix. `only`: those of this R, if it is one.
void for_each_lb_pattern(const execution_graph& graph, const views_table& views, const view& porf, event_id source,
                         event_id from, event_id only, const initial_values& initial,
                         const std::function<bool(const lb_pattern&)>& visit);

}  // namespace ordeal::detail::graph
