// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"

namespace ordeal::graph {

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = run_.replayed();
    if (!whole && !run_end_.found()) return false;
    return coherent(*graph_, views_, whole) && run_.model.allows(*graph_, views_);
}

}  // namespace ordeal::graph
