// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace ordeal::detail {

/// "event.state_", or "atomic 2" if the source name is unknown; empty for a step without an object.
[[nodiscard]] const std::string& object_words(const trace_step& step);

/// "store release"; "store relaxed*" where the order is not the declared one.
[[nodiscard]] std::string access_words(const trace_step& step);

/// "src/a.hpp:12"; empty without a location.
[[nodiscard]] std::string place_words(const trace_step& step);

/// "the exchange of event.state_"
[[nodiscard]] std::string operation_words(const trace_step& step);

/// Of a permanently blocked thread: "waits for a notification of event.state_", "joins thread 2, which does not end".
[[nodiscard]] std::string waiting_words(const trace_step& step);

/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string enumerated(const std::vector<std::string>& words);

/// The name of each thread of a trace: the scenario's own, then "thread 3" for the third if the code on trial created
/// it.
[[nodiscard]] std::vector<std::string> thread_names(const scenario& what, const trace& steps);

}  // namespace ordeal::detail
