// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <source_location>

namespace ordeal {

/// States a condition that must hold here in every execution. Otherwise the execution ends with the violation "failed
/// requirement", and the call does not return.
void require(bool condition, std::source_location where = std::source_location::current());

/// As above, with a sentence for the report.
void require(bool condition, const char* message, std::source_location where = std::source_location::current());

/// Leaves out the executions in which the condition does not hold: unintended inputs, interleavings that another
/// scenario is about. Engine `graph` blocks the thread there for good. Such an execution counts as blocked, and how it
/// ends is not judged: a thread that waits for this one is no deadlock, what this one has not freed is no leak. What
/// other threads do in it is still judged. May be called on every thread, in finish() and in code without a policy; it
/// orders nothing.
///
/// Engine `relacy` cannot give an execution up: its verdict is inconclusive if the condition fails in one. On real
/// threads the execution goes on, but its outcome is not counted, and no requirement fails in it from then on. Without
/// an engine a call does nothing.
///
/// A search that completes no execution is inconclusive.
///
/// Source: `__VERIFIER_assume` (SV-COMP), as in GenMC (Kokologiannakis, Vafeiadis, CAV 2021).
void assume(bool condition, std::source_location where = std::source_location::current());

/// Called for an assumption that does not hold; installed by the engine that runs the scenario.
using assumption_handler = void (*)(const std::source_location& where);
assumption_handler set_assumption_handler(assumption_handler handler) noexcept;

/// Called for a failed requirement; installed by the engine that runs the scenario. Returns only where the execution is
/// not judged.
using requirement_handler = void (*)(const char* message, const std::source_location& where);
requirement_handler set_requirement_handler(requirement_handler handler) noexcept;

}  // namespace ordeal
