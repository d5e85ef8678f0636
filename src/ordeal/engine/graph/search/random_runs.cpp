// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/random_runs.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"

namespace ordeal::graph {

random_runs::random_runs(const scenario& what, execution_runner& runs, std::uint64_t seed, unsigned depth)
    : runner_(runs),
      threads_(what.instrumented ? static_cast<int>(max_thread_ids) - 1 : static_cast<int>(what.threads.size())),
      choices_(seed, depth) {}

const violation* random_runs::run_one(tally& counted) {
    graph_.clear();
    choices_.begin(threads_);
    const ending how = runner_.run(graph_, choices_);
    ++counted.runs;
    runner_.count_outcome();
    counted.blocked += how == ending::blocked || how == ending::abandoned ? 1 : 0;
    counted.executions += how == ending::complete || how == ending::violated ? 1 : 0;
    if (how == ending::complete || how == ending::violated ||
        (how == ending::blocked && runner_.interpreter().run_end.ended_at_accepted())) {
        merge_accepted(runner_.interpreter().run.accepted, counted.accepted);
    }
    if (how != ending::violated) return nullptr;
    const violation& found = *runner_.interpreter().run_end.found();
    counted.keep_simpler({graph_, found.kind, found.message, difficulty(graph_)});
    return &found;
}

}  // namespace ordeal::graph
