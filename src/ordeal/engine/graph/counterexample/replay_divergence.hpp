// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/counterexample/replay_fingerprint.hpp"

#include <string>
#include <string_view>

namespace ordeal::graph {

/// Where a program and an execution that a token has part ways, in words for whoever replays the token. Asked after the run.
class replay_divergence {
public:
    replay_divergence(const scenario& what, const execution_state& run) : what_(what), run_(run) {}

    /// Of an execution that is none of this program: the first operation at which the two differ, and what is known of the
    /// reason. `steps` are those of the run, `marks` those of the token.
    [[nodiscard]] std::string words(const trace& steps, std::string_view fingerprint) const;
    /// "the code has changed since the token was printed: ..."; empty when it has not, as far as the marks tell.
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

}  // namespace ordeal::graph
