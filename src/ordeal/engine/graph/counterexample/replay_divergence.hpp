// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"

#include <string>
#include <string_view>

namespace ordeal::detail::graph {

/// Explains where a program diverges from the execution of a token, for the user who replays it. Called after the run.
class replay_divergence {
public:
    replay_divergence(const scenario& what, const execution_state& run) : what_(what), run_(run) {}

    /// The first operation at which the program and the execution differ, and what is known of the reason. `steps` are
    /// those of the run, `fingerprint` is that of the token.
    [[nodiscard]] std::string words(const trace& steps, std::string_view fingerprint) const;
    /// "the code has changed since the token was printed: ..."; empty if the fingerprint shows no change.
    [[nodiscard]] std::string description_of_change(std::string_view fingerprint) const;

private:
    [[nodiscard]] std::string name_of(int thread_id) const;
    [[nodiscard]] std::string ordinal_of(event_id id) const;
    [[nodiscard]] std::string operation_of(event_id id) const;
    [[nodiscard]] std::string kind_in_token(event_id id) const;
    [[nodiscard]] std::string describe_other_operation(const trace_step& met) const;
    [[nodiscard]] std::string describe_end(event_id id) const;
    [[nodiscard]] std::string describe_missing() const;
    [[nodiscard]] std::string describe_other_object() const;

    const scenario& what_;
    const execution_state& run_;
};

}  // namespace ordeal::detail::graph
