// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace ordeal::test {

/// The program checks these scenarios, all of them if none is named, with the graph engine and without a limit of time.
[[nodiscard]] finished graph_check(const char* path, const std::vector<std::string>& scenarios,
                                   const std::vector<std::string>& options);

/// The JSON that a check has written to its standard output, without the times that it took.
[[nodiscard]] nlohmann::json report_of(const finished& result);

/// Both, with all outcomes.
[[nodiscard]] nlohmann::json report_of_graph_check(const char* path, const std::vector<std::string>& scenarios,
                                                   std::vector<std::string> options);

}  // namespace ordeal::test
