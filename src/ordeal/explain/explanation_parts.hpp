// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/processors/allowance.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The two conflicting steps of a violation, if there are two.
struct violation_ends {
    std::optional<std::size_t> first;   ///< the other access, or the end of the object's lifetime
    std::optional<std::size_t> second;  ///< where the violation was found
    bool unordered = false;             ///< neither happens before the other
    bool first_ends_life = false;       ///< the first is a destruction or a free
};

[[nodiscard]] violation_ends ends_of(const trace_relations& steps, violation_kind kind);

/// Which processors can show the violation of the trace; nothing if steps are missing, or there are too many.
[[nodiscard]] std::optional<processors::allowances> on_processors(const trace_relations& steps,
                                                                  const violation_ends& ends);
/// Whether that is a question of their order: the two accesses are judged the other way round.
[[nodiscard]] bool asks_for_the_other_order(const violation_ends& ends) noexcept;
/// A sentence; empty if all can, as with every interleaving.
[[nodiscard]] std::string words(const processors::allowances& all, bool other_order);

/// The shortest cycle of program order, reads-from, coherence and from-reads: the reason why the execution is not
/// sequentially consistent (Shasha and Snir, TOPLAS 1988). Empty if there is none among the first steps of a very long
/// trace.
[[nodiscard]] std::vector<step_link> missed_cycle(const trace_relations& steps);

/// Load buffering: the shortest cycle of program order and reads-from through a read of what is written later. Empty if
/// there is none.
[[nodiscard]] std::vector<step_link> late_cycle(const trace_relations& steps);

/// A write that replaced what another thread had written after its own thread had read.
struct lost_update {
    std::size_t read = 0;
    std::size_t lost = 0;       ///< the write of the other thread
    std::size_t replacing = 0;  ///< the write of the thread that had read
};

/// The latest lost update of the bytes that one of these steps reads, if there is one.
[[nodiscard]] std::optional<lost_update> lost_update_before(const trace_relations& steps,
                                                            const std::vector<std::size_t>& reads);

/// The letters of the steps that are shown; empty for those that are folded.
///
/// `core` is always shown: the two ends, and the steps that the conclusion mentions. Then, while there is room, the
/// steps that led to it, the closest first, by the shortest way back: to the write that a step reads or replaces, to
/// the notification that woke it, to the latest access of the same bytes in its thread; less close, to what it
/// synchronises with; and last, to the step before it in its thread. Accesses to what only their thread knows of are
/// shown where there would be almost nothing else. Construction is shown only as a part of the core.
[[nodiscard]] std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core);

}  // namespace ordeal::detail
