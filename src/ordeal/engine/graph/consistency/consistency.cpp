// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/consistency.hpp"

#include "ordeal/engine/graph/consistency/sc_and_tso.hpp"

namespace ordeal::detail::graph {

bool consistency::allows(const execution_graph& graph, const views_table& views) {
    switch (which_) {
        case memory_model::rc11:
            // Most graphs are sequentially consistent, which implies every axiom and is cheaper to check.
            return !some_seq_cst_ || allowed_by_sc(graph, views, order_.tables()) ||
                   rc11_.tables().allows(graph, views);
        case memory_model::tso: return allowed_by_tso(graph, views, order_.tables());
        case memory_model::sc: break;
    }
    return allowed_by_sc(graph, views, order_.tables());
}

}  // namespace ordeal::detail::graph
