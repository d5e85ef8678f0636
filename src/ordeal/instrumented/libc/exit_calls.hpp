// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::exit_calls {

// Functions that the code on trial has registered for the end of the program or of a thread: destructors of globals,
// local statics and thread-local variables, and functions given to atexit.

/// Forgets what was registered in an execution.
void begin_execution() noexcept;
/// Save and restore the registrations of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// What was registered before any execution is not called at the end of one: the program that is on trial continues.
void forget_constructors() noexcept;

/// From now on exit() with another status than 0 is a failed requirement: in a program of tests.
void let_exit_fail_tests() noexcept;

/// Calls what the running thread has registered for its end, newest first.
void finish_thread(instrumented_runtime& runtime);

/// The same, and then what was registered for the end of the program, also by constructors before main.
void finish_execution(instrumented_runtime& runtime);

/// A hash of the registrations.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::exit_calls
