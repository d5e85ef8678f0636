// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// How one step of an execution stands to another.
enum class step_relation : std::uint8_t {
    program_order,
    reads_from,
    from_read,       ///< the first reads what the second overwrites
    coherence,       ///< both write to one atomic, the second later in its order
    happens_before,  ///< ordered in another way: by a lock, a join, the creation of a thread
};

/// "program order", "reads-from", "from-read", "coherence", "happens-before"
[[nodiscard]] std::string_view to_string(step_relation value) noexcept;

/// Two steps of a trace, by their positions in it, and what is between them.
struct step_link {
    std::size_t from = 0;
    std::size_t to = 0;
    step_relation relation = step_relation::program_order;
    bool missing = false;     ///< it does not synchronise, and the violation would not be there if it did
    std::string description;  ///< of a missing one: what it lacks; otherwise empty
};

/// Why an execution is violated, as far as its trace tells: what a report says before the steps, and which steps it shows.
struct explanation {
    std::vector<std::string> conclusion;  ///< sentences; steps are called by their letters, "c"
    std::optional<std::size_t> first;     ///< the earlier end: the other access, the release of memory, the stale read
    std::optional<std::size_t> second;    ///< the later end, where the violation was found
    std::vector<step_link> links;         ///< a path or a cycle of steps that explains it
    std::vector<std::string> letters;     ///< for each step of the trace; empty: it is folded, for it is no cause
};

/// Orders at sites, and fences, with which an execution would not be there. All of one remedy are needed.
using remedy = std::vector<order_override>;

/// What an explanation names as missing, and other ways to the same end; the first is what the conclusion says. Empty: the trace
/// names none. Orders are those to be in force, whatever was overridden in this execution.
[[nodiscard]] std::vector<remedy> remedies_of(const search_result& result);

/// Of the trace of a result; of one without a trace, the message alone. Needs nothing but the trace. Equal traces are
/// explained alike.
[[nodiscard]] explanation explain(const scenario& what, const search_result& result);

}  // namespace ordeal
