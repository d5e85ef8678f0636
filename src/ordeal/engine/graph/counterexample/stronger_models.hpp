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

namespace ordeal::detail::graph {

/// Finds the memory models in which a violation exists, among the one that it was found in and all stronger ones.
/// Discards the facts of the search so far.
class stronger_models {
public:
    using clock = std::chrono::steady_clock;

    /// Output of the code on trial is dropped meanwhile, as these executions were not asked for.
    stronger_models(execution_runner& runs, memory_model found_in);
    ~stronger_models();
    stronger_models(const stronger_models&) = delete;
    stronger_models& operator=(const stronger_models&) = delete;

    /// From this execution alone: it is run again under each model.
    [[nodiscard]] models_of_violation judge(const execution_graph& violated, violation_kind kind);

    /// As judge(), and where the strongest model does not have it, searches for other executions, each with at most
    /// `most_further_runs` runs and until `deadline`.
    [[nodiscard]] models_of_violation search(const execution_graph& violated, violation_kind kind,
                                             clock::time_point deadline);

    /// After search(): the simplest execution found, violated also in the model in which the violation was found, of
    /// the strongest model that shows it, or one that the letter of C++20 allows if it forbids that. Nothing: the given
    /// one.
    [[nodiscard]] const std::optional<counterexample>& simpler() const noexcept { return simplest_; }
    /// Whether simpler executions may exist that were not looked at.
    [[nodiscard]] bool more_to_see() const noexcept { return more_to_see_; }

private:
    enum class answer : std::uint8_t { exists, excluded, cut_short, unknown };

    /// The models up to `strongest`, given what the search of the next stronger model found.
    [[nodiscard]] static models_of_violation up_to(memory_model strongest, answer in_next);
    /// That has this execution, without future reads.
    [[nodiscard]] memory_model strongest_of(const execution_graph& violated, violation_kind kind);
    [[nodiscard]] models_of_violation weaker_than_sc(memory_model strongest, answer under_sc, violation_kind kind,
                                                     clock::time_point deadline);
    [[nodiscard]] bool is_allowed_by_letter(const execution_graph& violated, violation_kind kind,
                                            memory_model strongest);
    [[nodiscard]] bool find_by_letter(violation_kind kind, clock::time_point deadline);
    [[nodiscard]] bool shows(execution_graph graph, violation_kind kind, memory_model which);
    [[nodiscard]] answer look_for(violation_kind kind, memory_model which, clock::time_point deadline);

    [[nodiscard]] answer look_on(violation_kind kind, work_stack& work, clock::time_point deadline);
    void drop_unless_found(violation_kind kind);

    execution_runner& runner_;
    memory_model found_in_;
    std::optional<counterexample> simplest_;
    bool more_to_see_ = false;
    std::array<int, 2> outputs_;  ///< the original file descriptors
};

}  // namespace ordeal::detail::graph
