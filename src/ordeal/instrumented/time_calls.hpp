// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::model_time {

// Time stands still for the code on trial: what it computes from the clock is the same in every execution. Only a thread
// that sleeps finds, from then on, that the longest of its sleeps has passed; so that code which sleeps until some time
// gets there, and a loop that sleeps in each turn comes back to the same state. Random numbers are the same in every
// execution, too, and each thread has its own.

/// No thread has slept, or drawn a random number.
void begin_execution() noexcept;

/// A hash of what threads have come to.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::model_time
