// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symmetry.
//
// What is left out: of executions that differ by an exchange of interchangeable threads, all but one, the
// representative (symmetry); and graphs from which no representative can come. Threads are interchangeable if the
// scenario declares or claims it, or if the first run finds created threads that begin alike (symmetry_detection).
//
// Why nothing is lost: exchanging interchangeable threads turns one execution into another with the same verdict. Each
// class of executions has a representative, and a graph is dropped only if two of its threads are in the wrong order by
// operations that no revisit can delete or change any more. That threads are interchangeable is not taken on trust:
// runs are watched for anything that distinguishes them, a violation is run once more without the groups, and
// executions are run again with threads exchanged (symmetry_validation). If created threads, or claimed ones, turn out
// to differ, the search begins again without groups; if declared ones do, there is no verdict.
//
// Source: Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction", PLDI 2024, for
// the order; ours: detection and validation.
#pragma once

#include "ordeal/engine/graph/core/explorer/graph_reduction.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry_detection.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry_groups.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry_validation.hpp"

namespace ordeal::detail::graph {

class symmetric_search final : public graph_reduction {
public:
    symmetric_search(const scenario& what, const search_options& options, execution_runner& runner);

    ending run(execution_graph& graph, strategy& strategy) override;
    ending run_again(execution_graph& graph, strategy& strategy) override;
    ending check(execution_graph& graph) override;
    [[nodiscard]] bool leaves_out() const noexcept override { return symmetry_.any(); }
    void add_limits(std::vector<limit>& to) const override;
    [[nodiscard]] std::string export_state() override { return groups_.text(runner_.interpreter().thread_ids); }
    void import_state(std::string_view learned) override;

private:
    [[nodiscard]] ending run_and_detect(execution_graph& graph, strategy& strategy);
    [[nodiscard]] ending run_with_groups(execution_graph& graph, strategy& strategy);
    [[nodiscard]] bool is_violated_without_groups(execution_graph& graph, ending& ended);
    void apply_groups();

    std::vector<symmetry_group> claimed_;
    symmetry_groups groups_;  ///< that were found, or claimed
    symmetry symmetry_;       ///< of these, or of those that were declared
    symmetry_detection detection_;
    symmetry_validation validation_;
};

}  // namespace ordeal::detail::graph
