// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal {
class snapshot;
}

namespace ordeal::model_threads {

// What <pthread.h> knows of threads, for those of the model.

/// Forgets all threads.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

/// Ends the search where constructors of globals on trial have left threads behind, which no execution can have.
void refuse_early(instrumented_runtime& runtime);

// As instrumented_front_end has them.
[[nodiscard]] thread_start start_of(const void* argument) noexcept;
[[nodiscard]] bool is_result_requested(int thread) noexcept;

/// A hash of what the threads have returned.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::model_threads
