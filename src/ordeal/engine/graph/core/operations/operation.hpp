// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/operation_accounting.hpp"
#include "ordeal/engine/graph/core/execution/single_threaded_memory.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/engine/graph/non_atomic/object_lifetimes.hpp"
#include "ordeal/engine/graph/reductions/loops/loops.hpp"
#include "ordeal/engine/graph/reductions/spurious_failures/spurious_failures.hpp"

namespace ordeal::graph {

/// The parts of the engine that the operations of the runtime are composed of.
struct operation_parts {
    execution_state& run;
    operation_accounting& accounting;
    graph::run_end& run_end;
    graph::recorder& recorder;
    site_coverage& coverage;
    graph::scheduling& scheduling;
    graph::loops& loops;
    spurious_failures& failures;
    object_lifetimes& lifetimes;
    single_threaded_memory& single_threaded;
    graph_memory& memory;
};

/// Base of the groups of operations.
class operation {
protected:
    explicit operation(const operation_parts& of)
        : run_(of.run),
          operation_accounting_(of.accounting),
          run_end_(of.run_end),
          recorder_(of.recorder),
          site_coverage_(of.coverage),
          scheduling_(of.scheduling),
          loops_(of.loops),
          spurious_failures_(of.failures),
          object_lifetimes_(of.lifetimes),
          single_threaded_memory_(of.single_threaded),
          memory_(of.memory) {}
    ~operation() = default;

    /// A read-modify-write whose result is not used.
    void change(object& target, const read_request& how, site_id site) {
        memory_.complete(target, how, memory_.read_event(target, how, site), site);
    }
    /// The running thread has read from an atomic.
    void note_read_from(const object& target, event_id rf, site_id reader) {
        site_coverage_.note_crossing(rf, reader);
        site_coverage_.note_first_value(target, rf, reader);
    }

    execution_state& run_;
    operation_accounting& operation_accounting_;
    run_end& run_end_;
    recorder& recorder_;
    site_coverage& site_coverage_;
    scheduling& scheduling_;
    loops& loops_;
    spurious_failures& spurious_failures_;
    object_lifetimes& object_lifetimes_;
    single_threaded_memory& single_threaded_memory_;
    graph_memory& memory_;
};

}  // namespace ordeal::graph
