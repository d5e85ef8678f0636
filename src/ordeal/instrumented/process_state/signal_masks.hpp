// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal {
class snapshot;
}

namespace ordeal::signal_masks {

// Which signals the threads of the model block. No signal comes to code on trial, so that a mask decides nothing; but a thread
// may ask for what it has set.

/// No thread blocks any.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);

/// A thread begins with what the one blocks that has created it.
void inherit(int thread, int creator) noexcept;

/// What a thread blocks.
[[nodiscard]] std::uint64_t of(int thread) noexcept;

/// A hash of all masks.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::signal_masks
