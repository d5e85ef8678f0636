// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/threads/thread_engine.hpp"

#include "ordeal/engine/seconds_since.hpp"
#include "ordeal/engine/threads/batch.hpp"
#include "ordeal/real/jitter.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace ordeal::detail {

search_result thread_engine::search(const scenario& what, const search_options& how, search_progress& progress) {
    search_result result;
    result.message = obstacle(*this, what);
    if (!result.message.empty()) return result;
    if (what.real.run == nullptr) {
        result.message = "the scenario was compiled for the model alone";
        return result;
    }
    if (how.replay) {
        result.message = "what real threads did cannot be replayed";
        return result;
    }
    if (std::ranges::any_of(how.mutant.overrides, adds_fence)) {
        result.message = "real threads cannot be given a fence that is not in the code";
        return result;
    }
    jitter::set_overrides(how.mutant.overrides);
    const auto begin = std::chrono::steady_clock::now();
    batch_options options;
    options.seed = how.strategy.seed;
    options.seconds = how.resources.seconds;
    options.samples = how.strategy.bound;
    options.hang_timeout = how.resources.hang_timeout;
    batch_result ran = run_on_threads(what, options, [&](std::uint64_t samples) {
        progress.executions = samples;
        progress.steps = samples;
        return stop_requested();
    });
    result.seconds = seconds_since(begin);
    result.message = std::move(ran.message);
    if (!ran.ran) return result;
    result.executions = ran.samples;
    result.outcomes = std::move(ran.outcomes);
    result.faults_injected = ran.faults_injected;
    result.faults_survived = ran.faults_survived;
    result.kind = ran.kind;
    result.verdict = ran.kind ? verdict::violated : verdict::held_within;
    result.complete = !ran.stopped && !ran.kind;
    result.stopped = ran.stopped;
    if (ran.kind) {
        result.message += "; seed " + std::to_string(how.strategy.seed);
    } else {
        result.limits = {
            {"samples",
             std::to_string(ran.samples) + " samples on real threads, seed " + std::to_string(how.strategy.seed),
             limit_effect::bounds}};
    }
    return result;
}

}  // namespace ordeal::detail
