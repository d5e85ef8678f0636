// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/search/random_executions.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/search/shrinking.hpp"

#include <utility>

namespace ordeal::detail::graph {

bool random_runs::run_one(tally& counted) {
    graph_.clear();
    sampler_->begin();
    const ending ended = runner_.run(graph_, *sampler_);
    ++counted.runs;
    if (ended == ending::abandoned && sampler_->is_over()) return false;
    runner_.count_outcome();
    counted.blocked += ended == ending::blocked || ended == ending::abandoned ? 1 : 0;
    counted.executions += ended == ending::complete || ended == ending::violated ? 1 : 0;
    if (ended == ending::complete || ended == ending::violated ||
        (ended == ending::blocked && runner_.interpreter().run_end.ended_at_accepted())) {
        merge_accepted(runner_.interpreter().run.accepted, counted.accepted);
    }
    if (ended != ending::violated) return false;
    const violation& seen = *runner_.interpreter().run_end.found();
    counterexample found{graph_, seen.kind, seen.message, difficulty(graph_)};
    if (!counted.found) found = shrink(runner_, std::move(found), sampler_->made(), [this] { return is_over(); });
    counted.keep_simpler(std::move(found));
    return true;
}

}  // namespace ordeal::detail::graph
