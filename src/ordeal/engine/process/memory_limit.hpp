// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// How much memory the processes of one search take together, and may take.
//
// What counts is what they have for themselves: memory that was written, the engine's own and that of the code on trial. The
// program's text and its libraries do not count. What a process shares with the one that forked it counts for both.
namespace ordeal {

/// Before the search; `processes`: so many will share it. 0 bytes: no limit.
void begin_memory_limit(std::uint64_t bytes, unsigned processes);

/// What this process has for itself now, in bytes.
[[nodiscard]] std::uint64_t memory_of_this_process() noexcept;

/// Whether the processes of the search have more than they may. Asks the system, so it takes some microseconds; each process
/// asks from time to time, and is counted from then on. Always false where there is no limit.
[[nodiscard]] bool beyond_memory_limit() noexcept;

/// A process of the search has ended.
void forget_memory_of(int process) noexcept;

/// How many bytes this process may spend on copies of runs, from which it goes on instead of from the beginning: the same
/// number during a search. They are within the limit, and leave as much again for everything else.
[[nodiscard]] std::uint64_t memory_for_snapshots() noexcept;

}  // namespace ordeal
