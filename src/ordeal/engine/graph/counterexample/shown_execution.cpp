// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/shown_execution.hpp"

#include "ordeal/engine/execution/debug_stop.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"
#include "ordeal/engine/graph/counterexample/stronger_models.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/symbols/names/trace_names.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace ordeal::detail::graph {

namespace {

static_assert(max_thread_ids <= ordeal_most_debugged_threads);

void put(std::array<char, 64>& into, std::string_view text) {
    into = {};
    std::ranges::copy(text.substr(0, into.size() - 1), into.begin());
}

std::string words_for(const run_state& run, const thread_state& thread) {
    switch (thread.status) {
        case thread_status::finished: return "is over";
        case thread_status::absent: return "is not created yet";
        case thread_status::joining:
            if (thread.arrivals) return "waits for more arrivals at a barrier or a latch";
            if (thread.departures) return "waits until others have left a condition variable";
            return "waits for the end of thread " + std::to_string(run.number_of(thread.joined));
        case thread_status::blocked: return "waits";
        default: return "is switched off, and can go on";
    }
}

// While it exists, a debugger that stops a run learns of the threads of that run.
class debugged_run {
public:
    debugged_run(const scenario& what, interpreter& interpreter) : what_(what), interpreter_(interpreter) {
        debugger.run = this;
        debugger.publish = [](void* self) { static_cast<const debugged_run*>(self)->publish(); };
    }

    ~debugged_run() {
        debugger.publish = nullptr;
        debugger.run = nullptr;
    }
    debugged_run(const debugged_run&) = delete;
    debugged_run& operator=(const debugged_run&) = delete;

private:
    void publish() const {
        const int count = interpreter_.thread_ids.count();
        ordeal_debugged_thread_count = static_cast<std::uint32_t>(count) + 1;
        for (int thread_id = 0; thread_id <= count; ++thread_id) {
            publish(thread_id, ordeal_debugged_threads[static_cast<std::size_t>(thread_id)]);
        }
    }

    void publish(int thread_id, debugged_thread& of) const {
        const run_state& run = interpreter_.run;
        const auto index = static_cast<std::size_t>(thread_id) - 1;
        const bool named = thread_id != main_thread_id && index < what_.threads.size();
        put(of.name, thread_id == main_thread_id ? "construction and finish" : named ? what_.threads[index] : "");
        of.last_step = 0;
        for (const trace_step& step : interpreter_.recorder.steps()) {
            if (step.thread == run.number_of(thread_id) - 1) of.last_step = step.index;
        }
        of.runs = debugger.on_thread && run.thread_id == thread_id ? 1 : 0;
        const bool has_stack = thread_id != main_thread_id && of.runs == 0 && run.of(thread_id).is_alive();
        of.context = has_stack ? interpreter_.fibers.suspended(thread_id).address : 0;
        if (of.runs != 0) {
            put(of.state, "runs");
        } else if (thread_id == main_thread_id) {
            put(of.state, "does not run");
        } else {
            put(of.state, words_for(run, run.of(thread_id)));
        }
    }

    const scenario& what_;
    interpreter& interpreter_;
};

}  // namespace

// The violation is the one of the traced run, which may find it from the other access.
void shown_execution::show(const counterexample& found) {
    result_.verdict = verdict::violated;
    result_.replay = choices{to_text(found.graph)};
    execution_graph graph = found.graph;
    show_run(graph);
    if (std::optional<execution_graph> simpler = name_models(found.graph)) {
        result_.replay = choices{to_text(*simpler)};
        show_run(*simpler);
    }
    if (result_.kind) return;
    result_.message = "the execution that showed \"" + std::string(to_string(found.kind)) + "\" (" + found.message +
                      ") ended differently when it was run again (a static, an address, or time?)";
    result_.kind = violation_kind::nondeterminism;
}

// No memory model applies to a nondeterministic program. And if something was not checked, an execution that was not
// explored may be violated, too.
//
// Returns an execution that is simpler to read, if a stronger model has one.
std::optional<execution_graph> shown_execution::name_models(const execution_graph& violated) {
    if (!result_.kind || result_.kind == violation_kind::nondeterminism || result_.kind == violation_kind::time_out)
        return std::nullopt;
    stronger_models models(runner_, options_.model);
    const bool sampled = is_random(options_.strategy.mode);
    result_.models =
        sampled ? models.judge(violated, *result_.kind) : models.search(violated, *result_.kind, deadline_);
    if (!unseen_limits(what_).empty()) result_.models->excluded = false;
    result_.simpler_may_exist = models.more_to_see();
    if (!models.simpler()) return std::nullopt;
    return models.simpler()->graph;
}

// A violation may end the shown run before the write is made that a future read has read from.
void shown_execution::find_future_sources(execution_graph graph) {
    replay_strategy again;
    runner_.interpreter().run_end.puts_off_violations = true;
    (void)runner_.run(graph, again);
    runner_.interpreter().run_end.puts_off_violations = false;
    runner_.interpreter().recorder.keep_future_sources();
}

// If there are too many non-atomic accesses for a trace, the first run counts them. A debugger stops the last run,
// whose steps have the numbers of the trace.
ending shown_execution::run_traced(execution_graph& graph) {
    const execution_graph as_given = graph;
    replay_strategy again;
    if (graph.future_reads) find_future_sources(graph);
    runner_.interpreter().non_atomic_memory.steps().keep_first();
    const ending ended = runner_.run(graph, again, true);
    const bool left_out = runner_.interpreter().non_atomic_memory.steps().left_out();
    if (!left_out && debugger.step == 0) return ended;
    if (left_out)
        runner_.interpreter().non_atomic_memory.steps().keep_last(runner_.interpreter().non_atomic_memory.accesses());
    debugger.armed = debugger.step != 0;
    graph = as_given;
    return runner_.run(graph, again, true);
}

void shown_execution::show_run(execution_graph& graph) {
    const ending ended = run_traced(graph);
    runner_.interpreter().recorder.place_writes();
    runner_.interpreter().non_atomic_memory.steps().drop_private_steps(ended == ending::violated);
    result_.trace = shortened(runner_.interpreter().recorder.steps());
    if (result_.sites.empty())
        result_.sites =
            sites_of(runner_.interpreter().site_coverage.all(), runner_.interpreter().site_coverage.writers());
    if (result_.replay) result_.replay->text = with_fingerprint(result_.replay->text, runner_.interpreter().run);
    if (ended == ending::violated) {
        result_.kind = runner_.interpreter().run_end.found()->kind;
        result_.message = runner_.interpreter().run_end.found()->message;
    }
    // By the step numbers of the run.
    name_trace_objects(result_.trace, result_.message, runner_.interpreter().recorder.places(), what_);
    if (auto ordered = as_interleaving(result_.trace)) result_.trace = std::move(*ordered);
}

void shown_execution::replay(const choices& wanted) {
    const fingerprinted_choices token = split_fingerprint(wanted.text);
    auto graph = parse_graph(token.graph);
    if (!graph) {
        result_.message = "the choices of the execution cannot be read";
        return;
    }
    if (!runner_.interpreter().thread_ids.adopt(*graph)) {
        result_.message = "the execution does not fit this program: it has a thread that this program does not have";
        return;
    }
    const debugged_run told(what_, runner_.interpreter());
    show_run(*graph);
    result_.executions = 1;
    if (runner_.interpreter().run_end.refused()) {
        result_.message = runner_.interpreter().search_facts.refused;
        return;
    }
    if (result_.kind == violation_kind::nondeterminism || !runner_.interpreter().graph_memory.is_execution()) {
        result_.kind.reset();
        result_.message =
            words_for_divergence(what_, runner_.interpreter().run, std::exchange(result_.trace, {}), token.fingerprint);
        return;
    }
    result_.verdict = result_.kind ? verdict::violated : verdict::held_within;
    if (!result_.kind) result_.limits = {{"one-execution", "one execution", limit_effect::bounds}};
    std::ranges::move(unseen_limits(what_), std::back_inserter(result_.limits));
    if (std::string changed = description_of_change(what_, runner_.interpreter().run, token.fingerprint);
        !changed.empty()) {
        result_.limits.emplace_back("code-changed", std::move(changed), limit_effect::general);
    }
    result_.complete = true;
    result_.replay = wanted;
    (void)name_models(*graph);
    result_.simpler_may_exist = false;  // this execution was requested
}

}  // namespace ordeal::detail::graph
