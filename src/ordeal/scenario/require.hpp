// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <source_location>

namespace ordeal {

/// States a condition that must hold here in every execution. Otherwise the execution ends with the violation "failed
/// requirement", and the call does not return.
void require(bool condition, std::source_location where = std::source_location::current());

/// As above, with a sentence for the report.
void require(bool condition, const char* message, std::source_location where = std::source_location::current());

/// States a condition without which an execution is of no interest: an input that is not meant, an interleaving that is
/// the subject of another scenario. Where it does not hold, the engine `graph` blocks the thread for good. The execution
/// is then one of the blocked ones, and no verdict on its end: nothing that waits for the thread is a deadlock, nothing
/// that it leaves is a leak. What another thread does in it is still judged. May be called on every thread, in finish()
/// and in code without a policy; it orders nothing.
///
/// Engine `relacy` cannot give an execution up: where the condition does not hold, its verdict is inconclusive. On real
/// threads the execution goes on, but its outcome is not counted, and no requirement fails in it from then on. Without
/// an engine it does nothing.
///
/// A search in which the condition holds in no execution is inconclusive.
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
