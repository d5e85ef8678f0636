// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/debugged_run.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace ordeal::detail::graph {

namespace {

static_assert(max_thread_ids <= ordeal_most_debugged_threads);

void put(std::array<char, 64>& into, std::string_view text) {
    into = {};
    std::ranges::copy(text.substr(0, into.size() - 1), into.begin());
}

std::string words_for(const thread_state& thread) {
    switch (thread.status) {
        case thread_status::finished: return "is over";
        case thread_status::absent: return "is not created yet";
        case thread_status::joining: return "waits for the end of thread " + std::to_string(thread.joined);
        case thread_status::blocked: return "waits";
        default: return "is switched off, and can go on";
    }
}

}  // namespace

debugged_run::debugged_run(const scenario& what, interpreter& interpreter) : what_(what), interpreter_(interpreter) {
    debugger.run = this;
    debugger.publish = [](void* self) { static_cast<const debugged_run*>(self)->publish(); };
}

debugged_run::~debugged_run() {
    debugger.publish = nullptr;
    debugger.run = nullptr;
}

void debugged_run::publish() const {
    const int count = interpreter_.thread_ids.count();
    ordeal_debugged_thread_count = static_cast<std::uint32_t>(count) + 1;
    for (int thread_id = 0; thread_id <= count; ++thread_id) {
        publish(thread_id, ordeal_debugged_threads[static_cast<std::size_t>(thread_id)]);
    }
}

void debugged_run::publish(int thread_id, debugged_thread& of) const {
    const execution_state& run = interpreter_.run;
    const auto index = static_cast<std::size_t>(thread_id) - 1;
    const bool named = thread_id != main_thread_id && index < what_.threads.size();
    put(of.name, thread_id == main_thread_id ? "construction and finish" : named ? what_.threads[index] : "");
    of.last_step = 0;
    for (const trace_step& step : interpreter_.recorder.steps()) {
        if (step.thread == thread_id - 1) of.last_step = step.index;
    }
    const thread_status status = run.of(thread_id).status;
    of.runs = debugger.on_thread && run.thread_id == thread_id ? 1 : 0;
    const bool has_stack = thread_id != main_thread_id && of.runs == 0 && status != thread_status::finished &&
                           status != thread_status::absent;
    of.context = has_stack ? interpreter_.fibers.suspended(thread_id).address : 0;
    if (of.runs != 0) {
        put(of.state, "runs");
    } else if (thread_id == main_thread_id) {
        put(of.state, "does not run");
    } else {
        put(of.state, words_for(run.of(thread_id)));
    }
}

}  // namespace ordeal::detail::graph
