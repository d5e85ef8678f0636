// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/memory_model.hpp"
#include "ordeal/runtime/violation.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace ordeal::graph {

/// Finds out in which memory models a violation exists, of the one that it was found in and all stronger ones. What the
/// trial has found out so far is forgotten.
class stronger_models {
public:
    using clock = std::chrono::steady_clock;

    /// What the code on trial prints meanwhile is dropped: these are not the executions that were asked for.
    stronger_models(execution_runner& runs, memory_model found_in);
    ~stronger_models();
    stronger_models(const stronger_models&) = delete;
    stronger_models& operator=(const stronger_models&) = delete;

    /// By this execution alone: it is run again under each model.
    [[nodiscard]] models_of_violation judge(const execution_graph& violated, violation_kind kind);

    /// And where it does not exist in the strongest one, by searches for others, each with at most `most_further_runs` runs and
    /// until `deadline` at the latest.
    [[nodiscard]] models_of_violation search(const execution_graph& violated, violation_kind kind,
                                             clock::time_point deadline);

    /// After search(): of the strongest model that shows it, the simplest execution met that is violated in the model in which the
    /// violation was found, too. Nothing where the one that was given is it.
    [[nodiscard]] const std::optional<counterexample>& simpler() const noexcept { return simplest_; }
    /// Whether there was more to look at for a simpler one.
    [[nodiscard]] bool more_to_see() const noexcept { return more_to_see_; }

private:
    enum class answer : std::uint8_t { exists, excluded, cut_short, unknown };

    /// Where the violation exists, from what the search of the next stronger model has found.
    [[nodiscard]] static models_of_violation up_to(memory_model strongest, answer in_next);
    [[nodiscard]] bool shows(execution_graph graph, violation_kind kind, memory_model which);
    [[nodiscard]] answer look_for(violation_kind kind, memory_model which, clock::time_point deadline);

    [[nodiscard]] answer look_on(violation_kind kind, work_stack& work, clock::time_point deadline);
    void drop_unless_found(violation_kind kind);

    execution_runner& runner_;
    memory_model found_in_;
    std::optional<counterexample> simplest_;
    bool more_to_see_ = false;
    std::array<int, 2> outputs_;  ///< as they were
};

}  // namespace ordeal::graph
