// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ordeal::docs {

/// What a command prints on standard output, run by a shell in the root of the project. Its program is ordeal, or that of
/// one of the examples.
[[nodiscard]] lines run_command(const std::string& command);

/// The same of `ordeal ARGUMENTS`.
[[nodiscard]] lines run_ordeal(const std::string& arguments);

/// Takes what a file has for what the command prints: somebody has run it already.
void take_as_printed(const std::string& command, const std::string& file);

/// The report in JSON of such a command.
[[nodiscard]] nlohmann::json report_of(const std::string& command);

/// The reports of one `check` of everything and of one `audit` of each subject that is asked for; kept. An engine by its
/// name; the program's own choice without.
[[nodiscard]] const nlohmann::json& checked(const std::string& scenario, const std::string& engine = {});
[[nodiscard]] const nlohmann::json& checked();
[[nodiscard]] const nlohmann::json& audited(const std::string& subject, const std::string& engine = {});

/// How the engines' results for these scenarios go together.
[[nodiscard]] nlohmann::json compared(const lines& scenarios);

/// A mutant by the words "SUBJECT FUNCTION ROLE ORDER": what the audit says of that order at that site.
[[nodiscard]] const nlohmann::json& mutant(const lines& words, const std::string& engine = {});

}  // namespace ordeal::docs
