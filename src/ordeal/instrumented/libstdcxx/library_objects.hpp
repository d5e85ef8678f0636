// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/runtime/per_thread.hpp"

#include <cstdint>

// Objects of libstdc++ in code on trial that have state beside what the program sees of them.
namespace ordeal::detail {

class snapshot;

/// Pools of <memory_resource>: each block comes from the pool's upstream resource, and is returned to it when it is
/// deallocated ([mem.res.pool.mem] leaves that open). So a deallocated block is a freed one.
namespace memory_pools {

/// Forgets all blocks.
void begin_execution() noexcept;
/// Save and restore the blocks of the current execution.
void save(snapshot& to);
void restore(snapshot& from);
/// A hash of all blocks.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace memory_pools

/// The shared_ptr locks that each thread holds: the library function that releases them is not passed the lock.
namespace shared_pointer_locks {

void begin_execution() noexcept;
/// Save and restore the locks held in the current execution.
void save(snapshot& to);
void restore(snapshot& from);

}  // namespace shared_pointer_locks

/// A bound on the value that the next addition to, or subtraction from, a counter of the standard library may find:
/// announced by our headers of <latch> and <semaphore>, because the library's functions do not report it.
struct expected_count {
    const char* wrong = nullptr;  ///< the precondition violated otherwise; null: nothing is expected
    memory_range object;          ///< contains the counter
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// By thread.
inline constinit per_thread<expected_count> expected_counts;
inline constinit bool some_count_expected = false;

void compare_with_expected(instrumented_runtime& runtime, const code_location& at, memory_range where,
                           std::uint64_t before);

/// Called after each read-modify-write.
inline void note_count(instrumented_runtime& runtime, const code_location& at, memory_range where,
                       std::uint64_t before) {
    if (some_count_expected) [[unlikely]]
        compare_with_expected(runtime, at, where, before);
}

void forget_expected_counts() noexcept;
void save_expected_counts(snapshot& to);
void restore_expected_counts(snapshot& from);

}  // namespace ordeal::detail
