// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

class snapshot;

/// Exceptions of the code on trial, libstdc++'s as well. They are no blocks of its heap: injected allocation failures
/// do not affect them, and they are never leaks. They also lie at fixed addresses, none used twice in an execution.
namespace exception_memory {

inline constexpr std::uintptr_t base = 0x2280'0000'0000;
inline constexpr std::size_t arena_size = std::size_t{16} << 20;  ///< of each thread

[[nodiscard]] constexpr memory_range region() noexcept { return {base, thread_slots * arena_size}; }

/// Whether an exception was thrown by the code on trial.
[[nodiscard]] inline bool contains(const void* object) noexcept {
    return reinterpret_cast<std::uintptr_t>(object) - base < region().size;
}

/// A word attached to an exception, initially zero, for wrappers of the language's exception functions.
[[nodiscard]] std::uintptr_t& word_of(void* object) noexcept;

/// Discards all exceptions; at the beginning of an execution.
void reset() noexcept;

/// Save and restore all exceptions of the execution.
void save(snapshot& to);
void restore(snapshot& from);

}  // namespace exception_memory

}  // namespace ordeal::detail
