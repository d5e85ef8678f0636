// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <source_location>

namespace ordeal {

/// States a condition that must hold here in every execution. Otherwise the execution ends with the violation "failed
/// requirement", and the call does not return.
void require(bool condition, std::source_location where = std::source_location::current());

/// As above, with a sentence for the report.
void require(bool condition, const char* message, std::source_location where = std::source_location::current());

/// Called for a failed requirement; installed by the engine that runs the scenario. Must not return.
using requirement_handler = void (*)(const char* message, const std::source_location& where);
requirement_handler set_requirement_handler(requirement_handler handler) noexcept;

}  // namespace ordeal
