// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include "ordeal/runtime/per_thread.hpp"

#include <cstdint>

namespace ordeal::detail {

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
