// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"
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
};

[[nodiscard]] violation_ends ends_of(const trace_relations& steps, violation_kind kind);

/// The shortest cycle of program order, reads-from, coherence and from-reads: the reason why the execution is not
/// sequentially consistent (Shasha and Snir, TOPLAS 1988). Empty if there is none among the first steps of a very long
/// trace.
[[nodiscard]] std::vector<step_link> missed_cycle(const trace_relations& steps);

/// The letters of the steps that are shown; empty for those that are folded.
///
/// `core` is always shown: the two ends, and the steps that the conclusion mentions. Then, while there is room, the
/// steps that led to it: first communication between threads, then other operations of the threads concerned on
/// atomics, locks and frames, then their non-atomic accesses. Construction is shown only as a part of the core.
[[nodiscard]] std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core);

}  // namespace ordeal::detail
