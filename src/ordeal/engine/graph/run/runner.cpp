// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/run/runner.hpp"

#include "ordeal/engine/code_on_trial.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>

namespace ordeal::graph {

void runner::construct(void* self, int /*number*/) {
    auto& me = *static_cast<runner*>(self);
    if (me.what_.instrumented) guarded([] { instrumented().begin_construction(); });
    me.object_ = heap::scenario_storage(me.what_.model.size, me.what_.model.alignment);
    if (me.parts_.options.instrumented) {
        me.parts_.bytes.begin_object({reinterpret_cast<std::uintptr_t>(me.object_), me.what_.model.size});
    }
    guarded([&] { me.what_.model.build(me.object_); });
    me.parts_.stacks.suspend();
}

void runner::run_thread(void* self, int thread_id) {
    auto& me = *static_cast<runner*>(self);
    guarded([&] { me.what_.model.run(me.object_, thread_id - 1); });
    if (me.what_.instrumented) {
        guarded(
            [&] { me.what_.model.is_program ? instrumented().finish_execution() : instrumented().finish_thread(); });
    }
    me.parts_.threads.finish();
}

void runner::finish(void* self, int /*number*/) {
    auto& me = *static_cast<runner*>(self);
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
    me.parts_.stacks.suspend();
}

// Returns whether the execution goes on.
bool runner::run_alone(fibers::body what) {
    parts_.stacks.start(main_thread_id, what, this);
    parts_.schedule.run_on(main_thread_id);
    return !parts_.end.found() && !parts_.end.refused() && !parts_.end.ended_at_accepted();
}

ending runner::end(ending how) {
    parts_.end.leave();
    return how;
}

// A graph that a revisit made may turn out to be no execution. Then what it shows is nothing.
ending runner::end_violated() { return end(parts_.memory.allowed_so_far() ? ending::violated : ending::abandoned); }

// One that ends at an accepted violation before its threads begin, or after them, is an execution.
ending runner::end_early() {
    if (parts_.end.found()) return end_violated();
    if (parts_.end.refused()) return end(ending::refused);
    return end(parts_.memory.allowed_so_far() ? ending::complete : ending::abandoned);
}

void runner::begin(execution_graph& graph, strategy& how, bool tracing) {
    parts_.begin(graph, how, tracing);
    begin_execution(port_);
    if (!parts_.options.instrumented) return;
    const harness_scope harness;
    parts_.bytes.begin();
    instrumented().begin_execution();
    detail::active_bytes = &port_;
}

// The threads stand where they stood in a copy, or nothing was changed.
bool runner::goes_back(execution_graph& graph, strategy& how) {
    if (!copies_.go_back(graph, how.waiting(), port_)) return false;
    went_back_ = true;
    parts_.go_on(graph, how, false);
    detail::active_bytes = parts_.options.instrumented ? &port_ : nullptr;
    return true;
}

// Returns false where the execution is over before its threads begin.
bool runner::begin_threads(execution_graph& graph, strategy& how, bool tracing, bool copies) {
    if (copies || parts_.options.instrumented) {
        copies_.drop();
    } else {
        copies_.leave_way();
    }
    begin(graph, how, tracing);
    if (!run_alone(&construct)) return false;
    parts_.schedule.enter_threads(parts_.options.instrumented);
    for (int thread_id = 1; thread_id <= threads_; ++thread_id) parts_.stacks.start(thread_id, &run_thread, this);
    if (copies) copies_.keep(main_thread_id, how.waiting());
    return true;
}

ending runner::run_threads(const strategy& how, bool copies) {
    const std::uint64_t steps_before = parts_.begins.total_steps();
    for (int next = parts_.schedule.next_thread(); next > 0; next = parts_.schedule.next_thread()) {
        if (copies && parts_.run.chosen == next && parts_.run.copy_due <= parts_.run.executed &&
            !parts_.run.of(next).halfway) {
            copies_.keep(main_thread_id, how.waiting());
        }
        parts_.schedule.run_on(next);
        while (parts_.waits.copy_asked()) {
            if (copies) copies_.keep(next, how.waiting());
            parts_.schedule.run_on(next);
        }
        if (parts_.end.found() || parts_.end.refused()) return end_early();
    }
    ran_threads_ = true;
    parts_.met.threads = std::max(parts_.met.threads, parts_.run.begun_threads());
    saw_threads_ |= parts_.begins.total_steps() != steps_before;
    if (parts_.end.found()) return end_violated();
    if (parts_.end.abandoned()) return end(ending::abandoned);
    if (parts_.schedule.some_unfinished()) return judge_liveness();
    parts_.schedule.leave_threads();
    if (watcher_ != nullptr) watcher_->threads_ended(parts_.run);
    if (!run_alone(&finish)) return end_early();
    outcome_ = unchecked_outcome_;
    return end(ending::complete);
}

ending runner::run(execution_graph& graph, strategy& how, bool tracing) {
    send_failed_requirements_to_port();
    outcome_.reset();
    const bool copies = how.comes_back() && !tracing && parts_.options.copies;
    if (!(copies && goes_back(graph, how)) && !begin_threads(graph, how, tracing, copies)) return end_early();
    return run_threads(how, copies);
}

ending runner::judge_liveness() {
    if (parts_.end.ended_at_accepted() || !parts_.still.is_for_ever()) return end(ending::blocked);
    if (parts_.still.waits_for_clock()) {
        parts_.end.give_up("a loop that waits for a clock to go on");
        return end(ending::refused);
    }
    bool violated = false;
    {
        const harness_scope harness;  // words take memory, which is none of the code on trial
        for (const int thread_id : parts_.run.order()) {
            if (const auto does = parts_.still.stuck(thread_id)) parts_.steps.add_stuck(thread_id, *does);
        }
        violated = parts_.end.conclude(parts_.still.kind(), parts_.still.words());
    }
    return end(violated ? ending::violated : ending::complete);
}

void runner::interrupt(violation_kind kind, const char* message) {
    if (parts_.run.executing) parts_.end.fail(kind, message, no_site);
}

}  // namespace ordeal::graph
