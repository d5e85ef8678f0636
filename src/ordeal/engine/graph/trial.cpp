// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/trial.hpp"

#include "ordeal/engine/code_on_trial.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/heap.hpp"

namespace ordeal::graph {

void trial::construct(void* self, int /*number*/) {
    auto& me = *static_cast<trial*>(self);
    if (me.what_.instrumented) guarded([] { instrumented().begin_construction(); });
    me.object_ = heap::scenario_storage(me.what_.model.size, me.what_.model.alignment);
    me.memory_.begin_object({reinterpret_cast<std::uintptr_t>(me.object_), me.what_.model.size});
    guarded([&] { me.what_.model.construct(me.object_); });
    me.memory_.stacks().suspend();
}

void trial::run_thread(void* self, int number) {
    auto& me = *static_cast<trial*>(self);
    guarded([&] { me.what_.model.run(me.object_, number - 1); });
    if (me.what_.instrumented) {
        guarded(
            [&] { me.what_.model.is_program ? instrumented().finish_execution() : instrumented().finish_thread(); });
    }
    me.memory_.finish_thread();
}

void trial::finish(void* self, int /*number*/) {
    auto& me = *static_cast<trial*>(self);
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
    me.memory_.stacks().suspend();
}

// Returns whether the execution goes on.
bool trial::run_alone(fibers::body what) {
    memory_.stacks().start(main_number, what, this);
    memory_.run_on(main_number);
    return !memory_.found() && !memory_.refused();
}

ending trial::end(ending how) {
    memory_.leave();
    return how;
}

// A graph that a revisit made may turn out to be no execution. Then what it shows is nothing.
ending trial::end_violated() { return end(memory_.allowed_so_far() ? ending::violated : ending::abandoned); }

ending trial::end_early() { return memory_.found() ? end_violated() : end(ending::refused); }

ending trial::run(execution_graph& graph, graph_sink* sink, chooser* choices, bool tracing) {
    send_failed_requirements_to_port();
    outcome_.reset();
    memory_.begin(graph, sink, choices, tracing);
    if (!run_alone(&construct)) return end_early();
    memory_.enter_threads();
    const std::uint64_t steps_before = memory_.total_steps();
    for (int number = 1; number <= threads_; ++number) memory_.stacks().start(number, &run_thread, this);
    for (int next = memory_.next_thread(); next > 0; next = memory_.next_thread()) {
        memory_.run_on(next);
        if (memory_.found() || memory_.refused()) return end_early();
    }
    ran_threads_ = true;
    saw_threads_ |= memory_.total_steps() != steps_before;
    if (memory_.found()) return end_violated();
    if (memory_.abandoned()) return end(ending::abandoned);
    if (memory_.some_unfinished()) return standstill();
    memory_.leave_threads();
    if (!run_alone(&finish)) return end_early();
    outcome_ = unchecked_outcome_;
    return end(ending::complete);
}

ending trial::standstill() {
    if (!memory_.stuck_for_ever()) return end(ending::blocked);
    if (memory_.waits_for_clock()) {
        memory_.give_up("a loop that waits for a clock to go on");
        return end(ending::refused);
    }
    memory_.conclude(memory_.kind_of_standstill(), memory_.words_for_standstill());
    return end(ending::violated);
}

void trial::interrupt(violation_kind kind, const char* message) {
    if (memory_.executing()) memory_.fail(kind, message, no_site);
}

}  // namespace ordeal::graph
