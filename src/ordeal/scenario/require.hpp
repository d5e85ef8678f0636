// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <source_location>

namespace ordeal {

/// States what must be true here in every execution. If it is not, the execution ends with the violation "failed
/// requirement" and does not return.
void require(bool condition, std::source_location where = std::source_location::current());

/// As above, with a sentence for the report.
void require(bool condition, const char* message, std::source_location where = std::source_location::current());

/// What a failed requirement calls; the engine that runs the scenario installs it. It must not return.
using requirement_handler = void (*)(const char* message, const std::source_location& where);
requirement_handler set_requirement_handler(requirement_handler handler) noexcept;

}  // namespace ordeal
