// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <memory>

namespace ordeal::graph {

/// What RC11 asks of a graph beyond coherence and atomicity: the seq_cst events have an order, that is, psc is acyclic
/// (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017). Events that have not
/// been run, and a write without a place, are not looked at.
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

}  // namespace ordeal::graph
