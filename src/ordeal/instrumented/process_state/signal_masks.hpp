// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::signal_masks {

// The signal masks of the model's threads. No signal is delivered to code on trial, so masks decide nothing; but a
// thread may read its mask.

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

}  // namespace ordeal::detail::signal_masks
