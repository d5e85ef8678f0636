// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/explanation.hpp"

#include <vector>

namespace ordeal::detail {

/// The shortest cycle of program order, reads-from, coherence and from-reads: the reason why the execution is not
/// sequentially consistent (Shasha and Snir, TOPLAS 1988). Empty if there is none among the first steps of a very long
/// trace.
[[nodiscard]] std::vector<step_link> missed_cycle(const trace_relations& steps);

}  // namespace ordeal::detail
