// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/consistency.hpp"

#include "ordeal/engine/graph/consistency/rc11.hpp"

namespace ordeal::graph {

bool consistency::allows(const execution_graph& graph, const facts_table& facts) const {
    return !forbids_more() || allowed_by_rc11(graph, facts);
}

}  // namespace ordeal::graph
