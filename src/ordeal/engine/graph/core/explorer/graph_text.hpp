// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail::graph {

/// A graph as text: for each event in the order of addition a letter for the thread, "a" to "o" for the first ones and
/// "A" to "P" for the next, then what it is. "r3" reads from the third event, "r0" the initial value; "u" one that may
/// fail spuriously with an effect, and "s" one that does; "w2" a write at place 2 of coherence, "x2" that of a
/// read-modify-write; "c2" creates thread 2; "f" a fence, "e" that of a wait which ends spuriously; "m0" an
/// allocation of fresh memory, "mb3" one of what thread b freed as its third block, where it had the choice. "z1" after
/// a read: its variant; "y3" after an event: three times in a row. "_b" at the end: what comes next in thread b may
/// fail spuriously. "%" at its beginning: some objects are accessed in parts, see mixed_sizes. Locations, orders and
/// values are not in it: a run finds them again.
[[nodiscard]] std::string to_text(const execution_graph& graph);
[[nodiscard]] std::optional<execution_graph> parse_graph(std::string_view text);

}  // namespace ordeal::detail::graph
