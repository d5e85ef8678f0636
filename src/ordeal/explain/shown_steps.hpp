// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal::detail {

/// The letters of the steps that are shown; empty for those that are folded.
///
/// Always shown is `core`: the two ends, and what the conclusion speaks of. Then what led to it comes, as long as there is room: first what
/// passed from one thread to another, then what else the threads concerned did with atomics, locks and frames, then
/// their plain accesses. Construction is shown only as a part of the core.
[[nodiscard]] std::vector<std::string> letters_of(const trace_relations& steps, const std::vector<std::size_t>& core);

}  // namespace ordeal::detail
