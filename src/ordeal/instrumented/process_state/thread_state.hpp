// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

// What the C library and the kernel keep for each thread of the model.
namespace ordeal::detail {

class snapshot;

/// Thread-specific values of <pthread.h>.
namespace thread_keys {

/// Forgets all values, and the keys created in an execution.
void begin_execution() noexcept;
/// Forgets the values of one thread, as a new one has its id.
void begin_thread(int thread) noexcept;
/// Save and restore the values and keys of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// Calls the destructors of the running thread's values.
void destroy_values(instrumented_runtime& runtime);

/// A hash of all values.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace thread_keys

/// Signal masks. No signal is delivered to code on trial, so masks decide nothing; but a thread may read its mask.
namespace signal_masks {

/// Empties all masks.
void begin_execution() noexcept;
/// Save and restore the masks of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// A new thread inherits its creator's signal mask.
void inherit(int thread, int creator) noexcept;

/// The mask of a thread.
[[nodiscard]] std::uint64_t of(int thread) noexcept;

/// A hash of all masks.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace signal_masks

/// Signal handlers and their stacks. No handler runs; but code on trial may ask which one is installed.
namespace signal_handlers {

/// Installs none.
void begin_execution() noexcept;
/// The thread has no stack for handlers, as a new one has its id.
void begin_thread(int thread) noexcept;
/// Save and restore those of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// A hash of all of them.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace signal_handlers

}  // namespace ordeal::detail
