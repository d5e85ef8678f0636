// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

// What an audit says of the production code, kept in reference-data/: memory_orders.json and memory_orders.md.
namespace ordeal::docs {

inline constexpr const char* memory_orders_json = "reference-data/memory_orders.json";
inline constexpr const char* memory_orders_markdown = "reference-data/memory_orders.md";

/// The subjects, as a command line has them.
inline constexpr const char* memory_orders_subjects = "manual_reset_event awaitable_event task sync_wait";

/// The files as they must be now. The JSON report is without counts, times and tokens: it changes only when what it says does.
[[nodiscard]] std::string memory_orders_as_json();
[[nodiscard]] std::string memory_orders_as_markdown();

}  // namespace ordeal::docs
