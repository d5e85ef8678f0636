// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// Validates a claimed symmetry: runs permuted copies of explored executions. Each copy must be an execution, end like
/// the original, and have its outcome.
///
/// The first `first_checked` executions are checked; later only those in which a thread behaves as none has before, and
/// every `executions_between`-th. most_checks() caps their number.
class symmetry_validation {
public:
    static constexpr std::uint64_t first_checked = 256;
    static constexpr std::uint64_t executions_per_check = 8;
    static constexpr std::uint64_t executions_between = 64;
    /// Of a larger group not all permutations are checked.
    static constexpr std::size_t most_permuted = 4;

    symmetry_validation(const scenario& what, execution_runner& runs, const symmetry& threads)
        : what_(what), runner_(runs), symmetry_(threads) {}

    /// After an execution that is complete. What the threads are seen not to have in common, in words.
    [[nodiscard]] std::optional<std::string> check(const execution_graph& graph, const std::string& outcome);

    /// A violation that the last check came to: a real one, of an execution that a search would not have run.
    [[nodiscard]] const std::optional<execution_graph>& violated() const noexcept { return violated_; }

private:
    using renaming = std::array<std::uint8_t, max_thread_ids>;

    using members = std::vector<std::uint8_t>;

    [[nodiscard]] bool may_be_renamed(const execution_graph& graph) const;
    [[nodiscard]] bool is_member(std::uint8_t thread_id) const;
    [[nodiscard]] std::optional<std::string> check(const members& group, const execution_graph& graph,
                                                   const std::string& outcome, bool all);
    [[nodiscard]] std::uint64_t most_checks() const;
    [[nodiscard]] bool does_something_new(const execution_graph& graph);
    [[nodiscard]] std::optional<std::string> exchanged(const members& group, const members& parts,
                                                       const execution_graph& graph, const std::string& outcome);
    [[nodiscard]] std::uint8_t notified(std::uint64_t waiting, std::uint8_t which, const renaming& names) const;
    void rename(const execution_graph& graph, const renaming& names);
    [[nodiscard]] bool does_the_same(const execution_graph& graph, const renaming& names);
    [[nodiscard]] static std::string message(const members& group, const std::string& what);
    [[nodiscard]] std::string description_of_divergence(const members& group);

    const scenario& what_;
    execution_runner& runner_;
    const symmetry& symmetry_;
    execution_graph renamed_;
    std::optional<execution_graph> violated_;
    std::vector<std::pair<location, location>> objects_;  ///< of the two executions, in turn
    std::unordered_set<std::uint64_t> done_;              ///< hashes of what a thread has done
    std::uint64_t executions_ = 0;
    std::uint64_t checks_ = 0;
    std::minstd_rand random_;  ///< the same numbers in each search
};

}  // namespace ordeal::detail::graph
