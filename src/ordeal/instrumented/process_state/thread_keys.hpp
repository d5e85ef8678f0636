// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"

#include <cstdint>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::thread_keys {

// Thread-specific values of <pthread.h> for the threads of the model.

/// Forgets all values, and the keys created in an execution.
void begin_execution() noexcept;
/// Save and restore the values and keys of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// Calls the destructors of the running thread's values.
void destroy_values(instrumented_runtime& runtime);

/// A hash of all values.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::thread_keys
