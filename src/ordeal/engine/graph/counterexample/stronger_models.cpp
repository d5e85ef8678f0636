// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/counterexample/stronger_models.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/core/runner/run_allowance.hpp"
#include "ordeal/engine/process/forked_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ordeal::detail::graph {

namespace {

constexpr std::uint64_t most_runs_for_a_simpler_one = 500;

}  // namespace

stronger_models::stronger_models(execution_runner& runs, memory_model found_in)
    : runner_(runs), found_in_(found_in), outputs_{dup(STDOUT_FILENO), dup(STDERR_FILENO)} {
    (void)std::fflush(nullptr);
    drop_output();
}

stronger_models::~stronger_models() {
    (void)std::fflush(nullptr);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
        int& before = outputs_[output == STDOUT_FILENO ? 0 : 1];
        if (before < 0) continue;
        dup2(before, output);
        close(before);
    }
    runner_.interpreter().graph_memory.judge_by(found_in_);
}

bool stronger_models::shows(execution_graph graph, violation_kind kind, memory_model which) {
    runner_.interpreter().graph_memory.judge_by(which);
    graph.known_consistent = false;
    replay_strategy again;
    const ending ended = runner_.run(graph, again);
    return ended == ending::violated && runner_.interpreter().run_end.found()->kind == kind &&
           runner_.interpreter().graph_memory.is_execution();
}

models_of_violation stronger_models::judge(const execution_graph& violated, violation_kind kind) {
    if (violated.future_reads) {
        // Executions without future reads were explored before those with them, and showed nothing: all of RC11, or
        // what the letter of C++20 allows of them.
        return {.strongest = memory_model::cpp20,
                .excluded = found_in_ != memory_model::cpp20_letter,
                .by_letter = shows(violated, kind, memory_model::cpp20_letter)};
    }
    const memory_model strongest = strongest_of(violated, kind);
    return {.strongest = strongest, .by_letter = is_allowed_by_letter(violated, kind, strongest)};
}

memory_model stronger_models::strongest_of(const execution_graph& violated, violation_kind kind) {
    const memory_model weakest = std::max(found_in_, memory_model::rc11);
    for (const memory_model which : {memory_model::sc, memory_model::tso}) {
        if (which > weakest && shows(violated, kind, which)) return which;
    }
    return weakest;
}

models_of_violation stronger_models::search(const execution_graph& violated, violation_kind kind,
                                            clock::time_point deadline) {
    if (violated.future_reads) return judge(violated, kind);
    const memory_model of_this = strongest_of(violated, kind);
    if (of_this == memory_model::sc) return {memory_model::sc, false};
    // Sequential consistency first: every other model allows all of its executions.
    const answer under_sc = look_for(kind, memory_model::sc, deadline);
    if (under_sc == answer::exists) return {memory_model::sc, false};
    models_of_violation result = weaker_than_sc(of_this, under_sc, kind, deadline);
    result.by_letter = is_allowed_by_letter(simplest_ ? simplest_->graph : violated, kind, result.strongest) ||
                       find_by_letter(kind, deadline);
    return result;
}

// In TSO a violation may be another one, as more happens before.
bool stronger_models::is_allowed_by_letter(const execution_graph& violated, violation_kind kind,
                                           memory_model strongest) {
    return strongest == memory_model::sc || !uses_memory_orders(found_in_) ||
           shows(violated, kind, memory_model::cpp20_letter);
}

// An execution that the letter allows is easier to argue with than a simpler one that it does not.
bool stronger_models::find_by_letter(violation_kind kind, clock::time_point deadline) {
    std::optional<counterexample> before = std::exchange(simplest_, std::nullopt);
    if (look_for(kind, memory_model::cpp20_letter, deadline) == answer::exists && simplest_) return true;
    simplest_ = std::move(before);
    return false;
}

models_of_violation stronger_models::weaker_than_sc(memory_model strongest, answer under_sc, violation_kind kind,
                                                    clock::time_point deadline) {
    if (strongest == memory_model::tso) return up_to(memory_model::tso, under_sc);
    const answer under_tso = look_for(kind, memory_model::tso, deadline);
    if (under_tso == answer::exists) return up_to(memory_model::tso, under_sc);
    return up_to(memory_model::rc11, under_tso);
}

models_of_violation stronger_models::up_to(memory_model strongest, answer in_next) {
    return {strongest, in_next == answer::excluded, in_next == answer::cut_short};
}

stronger_models::answer stronger_models::look_for(violation_kind kind, memory_model which, clock::time_point deadline) {
    runner_.interpreter().graph_memory.judge_by(which);
    runner_.interpreter().search_facts = {};
    runner_.interpreter().scheduling_points.leave_at(deadline);
    run_allowance further(most_further_runs);
    run_meter length(runner_);
    work_stack work;
    execution_graph graph;
    work.emit(graph);
    bool others = false;
    for (bool goes_on = true; !work.empty(); goes_on = further.spend(length.last_run())) {
        if (!goes_on || stop_requested() || clock::now() >= deadline) return answer::cut_short;
        work.take(graph);
        const ending ended = runner_.run(graph, work);
        if (ended == ending::refused) return answer::unknown;
        if (ended != ending::violated) continue;
        const violation& found = *runner_.interpreter().run_end.found();
        if (found.kind == kind) {
            simplest_ = counterexample{graph, kind, found.message, difficulty(graph)};
            return look_on(kind, work, deadline);
        }
        others = true;  // its continuations are unknown
    }
    return others || runner_.interpreter().search_facts.met_a_bound() ? answer::unknown : answer::excluded;
}

// A simpler execution is easier to read, but worth less time than the answer.
stronger_models::answer stronger_models::look_on(violation_kind kind, work_stack& work, clock::time_point deadline) {
    run_allowance further(most_runs_for_a_simpler_one);
    run_meter length(runner_);
    execution_graph graph;
    for (bool goes_on = true; !work.empty(); goes_on = further.spend(length.last_run())) {
        more_to_see_ = !goes_on || stop_requested() || clock::now() >= deadline;
        if (more_to_see_) break;
        work.take(graph);
        if (runner_.run(graph, work) != ending::violated || runner_.interpreter().run_end.found()->kind != kind)
            continue;
        if (difficulty(graph) < simplest_->difficulty)
            simplest_->graph = graph, simplest_->difficulty = difficulty(graph);
    }
    drop_unless_found(kind);
    return answer::exists;
}

// In a weaker model, which orders less, it may be violated at an earlier step and in another way.
void stronger_models::drop_unless_found(violation_kind kind) {
    if (!shows(simplest_->graph, kind, found_in_)) simplest_.reset();
}

}  // namespace ordeal::detail::graph
