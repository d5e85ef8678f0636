// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include "ordeal/engine/execution/code_on_trial.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

void execution_runner::construct(void* self, int /*number*/) {
    auto& me = *static_cast<execution_runner*>(self);
    if (me.what_.instrumented) guarded([] { instrumented().begin_construction(); });
    me.object_ = heap::scenario_storage(me.what_.model.size, me.what_.model.alignment);
    if (me.interpreter_.options.instrumented) {
        me.interpreter_.non_atomic_memory.begin_object(
            {reinterpret_cast<std::uintptr_t>(me.object_), me.what_.model.size});
    }
    guarded([&] { me.what_.model.build(me.object_); });
    me.interpreter_.fibers.suspend();
}

void execution_runner::run_thread(void* self, int thread_id) {
    auto& me = *static_cast<execution_runner*>(self);
    const auto& model = me.what_.model;
    guarded([&] { instrumented().run_thread(model.run, me.object_, thread_id - 1, model.is_program); });
    if (me.what_.instrumented) {
        guarded([&] { model.is_program ? instrumented().finish_execution() : instrumented().finish_thread(); });
    }
    me.interpreter_.created_threads.finish();
}

void execution_runner::finish(void* self, int /*number*/) {
    auto& me = *static_cast<execution_runner*>(self);
    guarded([&] {
        me.what_.model.finish(me.object_);
        const std::string outcome = me.what_.model.outcome(me.object_);
        {
            const harness_scope harness;
            me.unchecked_outcome_.assign(outcome.data(), outcome.size());
        }
        me.what_.model.destroy(me.object_);
    });
    if (me.what_.instrumented && !me.what_.model.is_program) guarded([] { instrumented().finish_execution(); });
    require_no_leaks();
    me.interpreter_.fibers.suspend();
}

// Returns whether the execution goes on.
bool execution_runner::run_on_main_fiber(fibers::body what) {
    interpreter_.fibers.start(main_thread_id, what, this);
    interpreter_.scheduler.run_on(main_thread_id);
    return !interpreter_.run_end.is_over();
}

ending execution_runner::end(ending ended) {
    interpreter_.run_end.leave();
    if (interpreter_.options.instrumented) instrumented().end_execution();
    return ended;
}

// A graph that a revisit made may turn out to be no execution. Then what it shows is nothing.
ending execution_runner::end_violated() {
    return end(interpreter_.graph_memory.consistent_so_far() ? ending::violated : ending::abandoned);
}

// One that ends at an accepted violation before its threads begin, or after them, is an execution.
ending execution_runner::end_early() {
    if (interpreter_.run_end.found()) return end_violated();
    if (interpreter_.run_end.refused()) return end(ending::refused);
    if (interpreter_.run_end.abandoned()) return end(ending::abandoned);
    const ending ended = interpreter_.run_end.ended_by_assumption() ? ending::blocked : ending::complete;
    return end(interpreter_.graph_memory.consistent_so_far() ? ended : ending::abandoned);
}

void execution_runner::begin(execution_graph& graph, strategy& strategy, bool tracing) {
    interpreter_.begin(graph, strategy, tracing);
    begin_execution(runtime_);
    if (!interpreter_.options.instrumented) return;
    const harness_scope harness;
    interpreter_.non_atomic_memory.begin();
    instrumented().begin_execution();
    detail::active_instrumented_runtime = &runtime_;
}

// The threads stand where they stood at a snapshot, or nothing was changed.
bool execution_runner::resume_from_snapshot(execution_graph& graph, strategy& strategy) {
    if (!snapshots_->resume(graph, strategy.pending_graphs(), runtime_)) return false;
    resumed_from_snapshot_ = true;
    interpreter_.go_on(graph, strategy, false);
    detail::active_instrumented_runtime = interpreter_.options.instrumented ? &runtime_ : nullptr;
    return true;
}

// Returns false where the execution is over before its threads begin.
bool execution_runner::begin_threads(execution_graph& graph, strategy& strategy, bool tracing, bool snapshots) {
    if (snapshots || interpreter_.options.instrumented) {
        snapshots_->drop();
    } else {
        snapshots_->detach();
    }
    begin(graph, strategy, tracing);
    if (!run_on_main_fiber(&construct)) return false;
    interpreter_.scheduler.enter_threads(interpreter_.options.instrumented);
    for (int thread_id = 1; thread_id <= threads_; ++thread_id) interpreter_.fibers.start(thread_id, &run_thread, this);
    if (snapshots) snapshots_->keep(main_thread_id, strategy.pending_graphs());
    return true;
}

ending execution_runner::run_threads(const strategy& strategy, bool snapshots) {
    const std::uint64_t steps_before = interpreter_.operation_accounting.total_steps();
    for (int next = interpreter_.scheduler.next_thread(); next > 0; next = interpreter_.scheduler.next_thread()) {
        if (snapshots && interpreter_.run.chosen == next &&
            interpreter_.run.snapshot_due <= interpreter_.run.executed && !interpreter_.run.of(next).halfway) {
            snapshots_->keep(main_thread_id, strategy.pending_graphs());
        }
        interpreter_.scheduler.run_on(next);
        while (interpreter_.scheduling_points.snapshot_requested()) {
            if (snapshots) snapshots_->keep(next, strategy.pending_graphs());
            interpreter_.scheduler.run_on(next);
        }
        if (interpreter_.run_end.found() || interpreter_.run_end.refused()) return end_early();
    }
    ran_threads_ = true;
    interpreter_.search_facts.threads = std::max(interpreter_.search_facts.threads, interpreter_.run.begun_threads());
    saw_threads_ |= interpreter_.operation_accounting.total_steps() != steps_before;
    if (interpreter_.run_end.found()) return end_violated();
    if (interpreter_.run_end.abandoned()) return end(ending::abandoned);
    if (interpreter_.scheduler.some_unfinished()) return judge_liveness();
    interpreter_.scheduler.leave_threads();
    if (observer_ != nullptr) observer_->threads_ended(interpreter_.run);
    if (!run_on_main_fiber(&finish)) return end_early();
    outcome_ = unchecked_outcome_;
    // Without its locks a program may have outcomes that it does not have with them.
    if (interpreter_.run.elided_locks && !outcome_->empty()) interpreter_.search_facts.order_of_sections = true;
    return end(ending::complete);
}

ending execution_runner::run(execution_graph& graph, strategy& strategy, bool tracing) {
    send_failed_requirements_to_runtime();
    outcome_.reset();
    const bool snapshots = strategy.keeps_pending_graphs() && !tracing && !graph.future_reads;
    if (!(snapshots && resume_from_snapshot(graph, strategy)) && !begin_threads(graph, strategy, tracing, snapshots))
        return end_early();
    return run_threads(strategy, snapshots);
}

ending execution_runner::run_with_reductions(execution_graph& graph, strategy& strategy) {
    const reduction_list& reductions = interpreter_.reductions;
    for (;;) {
        reductions.enable(true);
        const ending ended = run(graph, strategy);
        reductions.enable(false);
        if (ended != ending::abandoned || !reductions.answers_by_probes(*this, graph)) return ended;
    }
}

ending execution_runner::judge_liveness() {
    if (interpreter_.run_end.ended_at_accepted() || !interpreter_.liveness.all_blocked_forever())
        return end(ending::blocked);
    constexpr int first_thread = 1;
    if (what_.model.exits && interpreter_.run.of(first_thread).status == thread_status::finished)
        return end(ending::complete);
    if (interpreter_.liveness.waits_for_clock()) {
        interpreter_.run_end.refuse_run("a loop that waits for a clock to go on", no_site);
        return end(ending::refused);
    }
    bool violated = false;
    {
        const harness_scope harness;  // words take memory, which is none of the code on trial
        for (const int thread_id : interpreter_.run.order()) {
            if (const auto does = interpreter_.liveness.stuck(thread_id))
                interpreter_.recorder.add_stuck(thread_id, *does);
        }
        violated = interpreter_.run_end.conclude(interpreter_.liveness.kind(), interpreter_.liveness.message());
    }
    return end(violated ? ending::violated : ending::complete);
}

void execution_runner::interrupt(violation_kind kind, const char* message, const calling_function& code) {
    if (interpreter_.run.executing) interpreter_.run_end.fail(kind, message, no_site, {.code = code});
}

}  // namespace ordeal::detail::graph
