// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The letters of the steps that are shown; empty for those that are folded.
///
/// `core` is always shown: the two ends, and the steps that the conclusion mentions. Then, while there is room, the
/// steps that led to it: first communication between threads, then other operations of the threads concerned on
/// atomics, locks and frames, then their non-atomic accesses. Construction is shown only as a part of the core.
[[nodiscard]] std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core);

}  // namespace ordeal::detail
