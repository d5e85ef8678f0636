// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/execution_state.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What the operations of an execution were, in a few characters behind its choices: "aw1br1~kG". A later program that
// runs the execution again can tell whether, and from where on, its code differs. Neither files nor lines nor plain accesses
// are in it, which differ between builds of one source.
namespace ordeal::graph {

/// The choices of a token, and the marks behind them; of an older token there are none.
struct fingerprinted_choices {
    std::string_view graph;
    std::string_view fingerprint;
};
[[nodiscard]] fingerprinted_choices split_fingerprint(std::string_view text) noexcept;

/// The choices with the marks of the run that has just shown them. At most sixteen: of a longer execution each stands for
/// several events.
[[nodiscard]] std::string with_fingerprint(std::string_view text, const execution_state& run);

/// Events of a graph, the last one included.
struct event_range {
    event_id first = 0;
    event_id last = 0;
};
/// The first that are no longer what they were when the marks were made; what was not run, then or now, is not compared.
[[nodiscard]] std::optional<event_range> first_change(std::string_view fingerprint, const execution_state& run);

}  // namespace ordeal::graph
