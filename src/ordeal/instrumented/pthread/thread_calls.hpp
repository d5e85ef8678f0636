// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::model_threads {

// <pthread.h> state of the model's threads.

/// Forgets all threads.
void begin_execution() noexcept;
/// Save and restore the threads of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// Ends the search if constructors of globals on trial have left threads behind, which no execution can include.
void refuse_early(instrumented_runtime& runtime);

// See instrumented_front_end.
void run_thread(void (*run)(void* object, int thread), void* object, int thread, bool is_main);
[[nodiscard]] thread_start start_of(const void* argument) noexcept;
[[nodiscard]] bool is_result_requested(int thread) noexcept;

/// A hash of the threads' results.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::model_threads
