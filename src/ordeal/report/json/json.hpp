// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/stress_report.hpp"
#include "ordeal/report/text/text.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ordeal {

/// The version of this program: "0.1.0".
[[nodiscard]] const char* program_version() noexcept;

/// The names of the engines of this program that can search a scenario.
using engines_that_search = std::function<std::vector<std::string>(const scenario& what)>;

// Each is one JSON object: "schema", "tool", "version", and the report. `schema` counts up when a key changes its
// meaning; keys may be added.
[[nodiscard]] std::string list_json(std::span<const scenario* const> shown, const engines_that_search& engines_of);
[[nodiscard]] std::string check_json(const check_report& report);
[[nodiscard]] std::string replay_json(const replay_report& report);
[[nodiscard]] std::string stress_json(const stress_report& report);
[[nodiscard]] std::string audit_json(const audit_report& report, const audit_token& token_of);

}  // namespace ordeal
