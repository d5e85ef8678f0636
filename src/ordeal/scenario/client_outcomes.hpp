// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outcomes of a client: what its calls returned, in words.
#pragma once

#include "ordeal/scenario/client_enumeration.hpp"
#include "ordeal/scenario/client_family.hpp"
#include "ordeal/scenario/sequential_behaviours.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace ordeal::detail {

struct client_of_set;

/// Which calls return fresh values: by the specification their results change with the values that calls get.
[[nodiscard]] call_set calls_that_return_fresh_values(const client_family& family, const enumerated_client& client);

/// " = true", " = 7", " waits".
[[nodiscard]] std::string result_words(const client_result& result);

/// "push(1) = true | pop() = empty", of results by number of the call.
[[nodiscard]] std::string calls_text(const client_of_set& client, std::span<const client_result> results);

/// The same, as an outcome. Threads that make the same calls are exchanged so that executions that differ by that alone
/// have one outcome. One thread at a time.
[[nodiscard]] std::string outcome_of(const client_of_set& client, std::span<const client_result> results);

/// The outcomes of the specification, in which no call fails because it may. Nothing without one, if they are too many
/// to be listed, and with quiescent consistency: which of its orders an execution may have depends on the execution.
[[nodiscard]] std::optional<std::set<std::string>> specified_outcomes(const client_of_set& client);

}  // namespace ordeal::detail
