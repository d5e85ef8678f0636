// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/execution_state.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// The kinds of the operations of an execution in a few characters after its choices: "aw1br1~kG". A later program that
// replays the execution can tell whether, and from where on, its code differs. Files, lines and non-atomic accesses are
// not included, as they differ between builds of one source.
namespace ordeal::detail::graph {

/// The choices of a token and the fingerprint after them; older tokens have none.
struct fingerprinted_choices {
    std::string_view graph;
    std::string_view fingerprint;
};
[[nodiscard]] fingerprinted_choices split_fingerprint(std::string_view text) noexcept;

/// The choices with the fingerprint of the run that has just shown them. At most sixteen marks: in a longer execution
/// each stands for several events.
[[nodiscard]] std::string with_fingerprint(std::string_view text, const execution_state& run);

/// Events of a graph, the last one included.
struct event_range {
    event_id first = 0;
    event_id last = 0;
};
/// The first events that differ from the fingerprint; events not run, then or now, are not compared.
[[nodiscard]] std::optional<event_range> first_change(std::string_view fingerprint, const execution_state& run);

}  // namespace ordeal::detail::graph
