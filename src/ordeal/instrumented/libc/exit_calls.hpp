// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal {
class snapshot;
}

namespace ordeal::exit_calls {

// What the code on trial has registered, to be called at the end of the program or of a thread: the destructors of globals,
// of local statics and of thread-local variables, and functions given to atexit.

/// Forgets what was registered in an execution.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

/// What was registered so far, outside of executions, is not called at the end of one: the program that is on trial goes on.
void forget_constructors() noexcept;

/// Calls what the running thread has registered for its end, newest first.
void finish_thread(instrumented_runtime& runtime);

/// The same, and what was registered for the end of the program; by constructors before main, too.
void finish_execution(instrumented_runtime& runtime);

/// A hash of what is registered.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::exit_calls
