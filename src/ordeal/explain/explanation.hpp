// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/processors/allowance.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The relation between two steps of an execution.
enum class step_relation : std::uint8_t {
    program_order,
    reads_from,
    from_read,       ///< the first reads a value that the second overwrites
    coherence,       ///< both write to one atomic, the second later in coherence order
    happens_before,  ///< by other means: a lock, a join, the creation of a thread
};

/// "program order", "reads-from", "from-read", "coherence", "happens-before"
[[nodiscard]] std::string_view to_string(step_relation value) noexcept;

/// Two steps of a trace, by their positions in it, and their relation.
struct step_link {
    std::size_t from = 0;
    std::size_t to = 0;
    step_relation relation = step_relation::program_order;
    bool missing = false;     ///< it does not synchronise, and would prevent the violation if it did
    std::string description;  ///< of a missing one: what it lacks; otherwise empty
};

/// Why an execution is violated, as far as its trace shows: the text of a report before the steps, and which steps it
/// shows.
struct explanation {
    std::vector<std::string> conclusion;               ///< sentences; steps are named by their letters, "c"
    std::optional<std::size_t> first;                  ///< the earlier end: the other access, the free, the stale read
    std::optional<std::size_t> second;                 ///< the later end, where the violation was found
    std::vector<step_link> links;                      ///< a path or a cycle of steps that explains it
    std::optional<processors::allowances> processors;  ///< which can show it; nothing: not determined
    std::vector<std::string> letters;  ///< for each step of the trace; empty: it is folded, as it is no cause
};

/// Orders at sites, and fences, that together forbid an execution. All of one remedy are needed.
using remedy = std::vector<order_override>;

/// The missing orders that an explanation names, and alternatives; the conclusion states the first. Empty: the trace
/// names none. Orders are those to be in force, whatever was overridden in this execution.
[[nodiscard]] std::vector<remedy> remedies_of(const search_result& result);

/// Explains the trace of a result; without a trace, the message alone. Depends on the trace only: equal traces have
/// equal explanations.
[[nodiscard]] explanation explain(const scenario& what, const search_result& result);

}  // namespace ordeal::detail
