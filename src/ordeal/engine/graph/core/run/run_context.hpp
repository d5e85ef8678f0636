// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/search_facts.hpp"
#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/graph/core/facts/trace_recorder.hpp"
#include "ordeal/engine/graph/core/run/fibers.hpp"
#include "ordeal/engine/graph/core/run/operation_accounting.hpp"
#include "ordeal/engine/graph/core/run/run_end.hpp"
#include "ordeal/engine/graph/core/run/scheduling_points.hpp"
#include "ordeal/engine/graph/core/run/single_threaded_memory.hpp"
#include "ordeal/engine/graph/core/run/thread_fingerprints.hpp"
#include "ordeal/engine/graph/core/state/execution_options.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"

namespace ordeal::detail::graph {

/// A run, as the parts of the engine see it: its state, and what every part may need to work on it. A part derives from
/// this, and is given the few others that it calls.
struct run_context {
    const execution_options& options_;
    run_state& run_;
    fibers& fibers_;
    search_facts& search_facts_;
    recorder& recorder_;
    run_end& run_end_;
    site_coverage& site_coverage_;
    operation_accounting& operation_accounting_;
    scheduling_points& scheduling_points_;
    single_threaded_memory& single_threaded_memory_;
    const thread_fingerprints& thread_fingerprints_;
};

}  // namespace ordeal::detail::graph
