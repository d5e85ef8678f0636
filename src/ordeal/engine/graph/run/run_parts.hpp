// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/memory/spurious_failures.hpp"
#include "ordeal/engine/graph/operations/atomic_operations.hpp"
#include "ordeal/engine/graph/operations/condition_variables.hpp"
#include "ordeal/engine/graph/operations/created_threads.hpp"
#include "ordeal/engine/graph/operations/futexes.hpp"
#include "ordeal/engine/graph/operations/heap_blocks.hpp"
#include "ordeal/engine/graph/operations/locks.hpp"
#include "ordeal/engine/graph/plain/cells.hpp"
#include "ordeal/engine/graph/plain/plain_memory.hpp"
#include "ordeal/engine/graph/progress/liveness.hpp"
#include "ordeal/engine/graph/progress/loops.hpp"
#include "ordeal/engine/graph/run/scheduler.hpp"

namespace ordeal::graph {

/// All that runs one graph after another, and how the parts know each other: each knows those before it that it is given,
/// and none after it.
struct run_parts {
    /// `threads`: those of the scenario; they may create more.
    run_parts(const memory_options& how, int threads) : options(how), thread_ids(threads) {
        run.thread_ids = &thread_ids;
        run.model = consistency(options.model);
        if (options.instrumented) bytes.add_regions();
    }
    run_parts(const run_parts&) = delete;
    run_parts& operator=(const run_parts&) = delete;

    /// Before each run, in this order: the parts, then the port of the code on trial.
    void begin(execution_graph& graph, strategy& how, bool tracing);
    /// The same before a run that does not begin at the beginning.
    void go_on(execution_graph& graph, strategy& how, bool tracing);

    memory_options options;
    fibers stacks;
    thread_tree thread_ids;
    findings met;         ///< by all runs
    execution_state run;  ///< what changes

    recorder steps{run, options.instrumented, stacks};
    acceptances accepted{options.accept, run};
    run_end end{run, stacks, steps, met, accepted};
    site_marks marks{run};
    stack_room room{run, stacks, end};
    prologue begins{{options.step_limit, options.instrumented}, run, end, marks, room, met};
    scheduling waits{run, stacks, end};

    quiet_memory quiet{run, end, marks};
    notifications notified{accepted, options.instrumented, run, begins, end, steps};
    handovers handed{run, marks};
    object_lives lives{run, begins, end, steps, notified, quiet, handed, met};
    cells plain_objects{run, stacks, begins, end, steps, lives, handed};
    plain_memory bytes{{options.plain_limit}, run, stacks, steps, begins, end, waits, lives, notified, handed, met};

    liveness still{run, options.plain_limit};
    thread_snapshots snapshots{run, stacks, options.instrumented};
    retries again{run, waits, end, snapshots};
    dead_ends behind{run, end};
    loops watched{run, begins, waits, steps, snapshots, again, behind, met, !options.accept.empty()};
    scheduler schedule{run, stacks, end, still, watched, met};

    graph_memory memory{options, run, begins, end, waits, steps, watched, behind, lives, quiet, met};
    spurious_failures failures{run, end, memory, watched, snapshots};

    operation_parts parts{run, begins, end, steps, marks, waits, watched, failures, lives, quiet, memory};
    plain_memory* bytes_of_trial = options.instrumented ? &bytes : nullptr;
    atomic_operations atomics{parts, bytes_of_trial};
    locks mutexes{parts};
    condition_variables conditions{parts, mutexes};
    futexes words{parts, notified, met};
    alike_threads alike{run, bytes_of_trial};
    created_threads threads{parts, stacks, thread_ids, met, alike, bytes_of_trial};
    heap_blocks blocks{parts, options.reuse, met, alike, bytes_of_trial};
};

}  // namespace ordeal::graph
