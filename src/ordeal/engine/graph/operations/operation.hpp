// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/object_lives.hpp"
#include "ordeal/engine/graph/execution/prologue.hpp"
#include "ordeal/engine/graph/execution/quiet_memory.hpp"
#include "ordeal/engine/graph/memory/graph_memory.hpp"
#include "ordeal/engine/graph/memory/spurious_failures.hpp"
#include "ordeal/engine/graph/progress/loops.hpp"

namespace ordeal::graph {

/// The parts of the engine that operations of the port are made of.
struct operation_parts {
    execution_state& run;
    prologue& begins;
    run_end& end;
    recorder& steps;
    site_marks& marks;
    scheduling& waits;
    loops& watched;
    spurious_failures& failures;
    object_lives& lives;
    quiet_memory& quiet;
    graph_memory& memory;
};

/// A group of operations of the port: what they have in common.
class operation {
protected:
    explicit operation(const operation_parts& of)
        : run_(of.run),
          prologue_(of.begins),
          end_(of.end),
          recorder_(of.steps),
          marks_(of.marks),
          scheduling_(of.waits),
          loops_(of.watched),
          spurious_failures_(of.failures),
          lives_(of.lives),
          quiet_(of.quiet),
          memory_(of.memory) {}
    ~operation() = default;

    /// A read-modify-write whose value nobody asks for.
    void change(object& target, const read_request& how, site_id site) {
        memory_.complete(target, how, memory_.read_event(target, how, site), site);
    }
    /// The running thread has read from an atomic.
    void note_read_from(const object& target, event_id rf, site_id reader) {
        marks_.note_crossing(rf, reader);
        marks_.note_first_value(target, rf, reader);
    }

    execution_state& run_;
    prologue& prologue_;
    run_end& end_;
    recorder& recorder_;
    site_marks& marks_;
    scheduling& scheduling_;
    loops& loops_;
    spurious_failures& spurious_failures_;
    object_lives& lives_;
    quiet_memory& quiet_;
    graph_memory& memory_;
};

}  // namespace ordeal::graph
