// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <memory>

namespace ordeal::detail::graph {

/// The axiom of RC11 beyond coherence and atomicity: psc, the partial order on seq_cst events, is acyclic (Lahav,
/// Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017). Ignores events that have
/// not been run, and a write that has no position in coherence yet.
class rc11_check {
public:
    rc11_check();
    ~rc11_check();
    rc11_check(const rc11_check&) = delete;
    rc11_check& operator=(const rc11_check&) = delete;

    [[nodiscard]] bool allows(const execution_graph& graph, const views_table& views);

private:
    class psc;
    std::unique_ptr<psc> psc_;
};

}  // namespace ordeal::detail::graph
