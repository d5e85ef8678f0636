// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/byte_memory.hpp"

#include <cstdint>

namespace ordeal {
class kept_bytes;
}

namespace ordeal::model_threads {

// What <pthread.h> knows of threads, for those of the model.

/// Forgets all threads.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void keep(kept_bytes& to);
void put_back(kept_bytes& from);

/// Ends the search where constructors of globals on trial have left threads behind, which no execution can have.
void refuse_early(byte_memory& port);

// As instrumented_front_end has them.
[[nodiscard]] thread_start start_of(const void* argument) noexcept;
[[nodiscard]] bool asked_for_result(int thread) noexcept;

/// A hash of what the threads have returned.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::model_threads
