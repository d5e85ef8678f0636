// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// How much memory the processes of one search use together, and may use.
//
// Only private memory counts: pages that were written, by the engine or the code on trial, and not the text of the
// program and its libraries. Pages that a process shares with the one that forked it count for both.
namespace ordeal::detail {

/// Called before the search, which `processes` processes will share. 0 bytes: no limit.
void begin_memory_limit(std::uint64_t bytes, unsigned processes);

/// The private memory of this process, in bytes.
[[nodiscard]] std::uint64_t memory_of_this_process() noexcept;

/// Whether the processes of the search use more than they may. Asks the system, which takes some microseconds; each
/// process asks from time to time, and counts from then on. Always false without a limit.
[[nodiscard]] bool beyond_memory_limit() noexcept;

/// A process of the search has ended.
void forget_memory_of(int process) noexcept;

/// The bytes that this process may spend on snapshots of runs, from which later runs resume: constant during a search.
/// They count towards the limit, and leave at least as much for everything else.
[[nodiscard]] std::uint64_t memory_for_snapshots() noexcept;

}  // namespace ordeal::detail
