// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/byte_memory.hpp"

#include <cstdint>

namespace ordeal {
class kept_bytes;
}

namespace ordeal::thread_keys {

// Thread-specific values of <pthread.h>, for the threads of the model.

/// Forgets all values, and the keys that were created in an execution.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void keep(kept_bytes& to);
void put_back(kept_bytes& from);

/// Calls the destructors of the running thread's values.
void destroy_values(byte_memory& port);

/// A hash of all values.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::thread_keys
