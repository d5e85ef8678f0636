// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <string>
#include <string_view>

// The kinds of the operations of an execution in a few characters after its choices: "aw1br1~kG". A later program that
// replays the execution can tell whether, and from where on, its code differs. Files, lines and non-atomic accesses are
// not included, as they differ between builds of one source.
namespace ordeal::detail::graph {

/// The choices of a token and the fingerprint after them; older tokens have none.
struct fingerprinted_choices {
    std::string_view graph;
    std::string_view fingerprint;
};
[[nodiscard]] fingerprinted_choices split_fingerprint(std::string_view text) noexcept;

/// The choices with the fingerprint of the run that has just shown them. At most sixteen marks: in a longer execution
/// each stands for several events.
[[nodiscard]] std::string with_fingerprint(std::string_view text, const run_state& run);

// Where a program diverges from the execution of a token, in words for the user who replays it. Asked after the run.

/// The first operation at which the program and the execution differ, and what is known of the reason. `steps` are
/// those of the run, `fingerprint` is that of the token.
[[nodiscard]] std::string words_for_divergence(const scenario& what, const run_state& run, const trace& steps,
                                               std::string_view fingerprint);
/// "the code has changed since the token was printed: ..."; empty if the fingerprint shows no change.
[[nodiscard]] std::string description_of_change(const scenario& what, const run_state& run,
                                                std::string_view fingerprint);

}  // namespace ordeal::detail::graph
