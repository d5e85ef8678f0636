// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/scenario_program.hpp"

#include "ordeal/engine/execution/code_on_trial.hpp"
#include "ordeal/engine/relacy/exception_state.hpp"
#include "ordeal/runtime/memory/heap.hpp"

namespace ordeal::detail::relacy {

void scenario_program::restart(bool tracing) {
    outcomes_.clear();
    tracing_ = tracing;
}

void scenario_program::begin() {
    exception_state::clear();
    send_failed_requirements_to_runtime();
    runtime_.begin(tracing_);
    object_ = heap::scenario_storage(what_.model.size, what_.model.alignment);
    guarded([&] { what_.model.build(object_); });
    runtime_.enter_threads(true);
}

void scenario_program::run(int thread) {
    // The first thread ran begin() on this fiber; the exception state was cleared there, and must not be what another
    // fiber left when it was switched away from.
    exception_state::clear();
    guarded([&] { what_.model.run(object_, thread); });
    runtime_.finish_thread(thread);
}

void scenario_program::end() {
    runtime_.enter_threads(false);
    exception_state::clear();
    guarded([&] {
        what_.model.finish(object_);
        const std::string outcome = what_.model.outcome(object_);
        if (!outcome.empty()) {
            const harness_scope harness;
            ++outcomes_[std::string(outcome.data(), outcome.size())];
        }
        what_.model.destroy(object_);
    });
    require_no_leaks();
    runtime_.end();
}

bool scenario_program::stop() {
    progress_.executions = progress_.executions + 1;
    progress_.steps = runtime_.total_steps();
    if (stop_requested()) return true;
    return clock::now() >= deadline_;
}

void scenario_program::interrupt(violation_kind kind, const char* message) {
    if (runtime_.executing()) runtime_.fail(kind, message, no_site);
}

}  // namespace ordeal::detail::relacy
