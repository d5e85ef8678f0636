// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/run/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ordeal::graph {

/// Answers what a run asks about a retry: whether its thread stands where it would stand, had it not made the turn.
class retry_trials {
public:
    explicit retry_trials(runner& runs);

    /// Runs the graph, and again after each question that the run is left for. The answers are in the graph. `how` may have been
    /// told of alternatives to events of the graph by any of the runs, and of each once.
    ending run(execution_graph& graph, strategy& how);

    /// Forgets all answers: from now on the code is run in another way.
    void forget() noexcept { known_.clear(); }

private:
    /// Two hashes of what happened before a read: of the same nothing else can come.
    struct past {
        std::uint64_t one = 0;
        std::uint64_t other = 0;

        bool operator==(const past&) const = default;
    };
    struct hash_of_past {
        std::size_t operator()(const past& of) const noexcept { return of.one; }
    };

    [[nodiscard]] past past_of(const execution_graph& graph, const retry_question& asked) const;
    [[nodiscard]] bool answer(const execution_graph& graph, const retry_question& asked);
    [[nodiscard]] bool is_in_vain(const execution_graph& graph, const retry_question& asked);
    [[nodiscard]] bool without_turn(const execution_graph& graph, event_id earlier, event_id read);
    [[nodiscard]] bool as_later(const execution_graph& graph, event_id read);
    [[nodiscard]] bool comes_to_no_more(const execution_graph& graph, event_id earlier, event_id read,
                                        retry_trial& other);
    [[nodiscard]] bool comes_there(execution_graph& graph, retry_trial& trial);

    runner& runs_;
    bool asks_ = false;
    execution_graph other_;
    execution_graph again_;
    execution_graph::revisit_tables tables_;
    std::unordered_map<past, bool, hash_of_past> known_;  ///< answers
};

}  // namespace ordeal::graph
