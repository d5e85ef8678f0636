// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/memory/allocation_form.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::static_memory {

// What the code on trial allocates before main, in the constructors of its static objects. It is as global as they are, and
// made as it was before each execution. At a fixed address, so that it is the same one in every process.

inline constexpr std::uintptr_t base = 0x2200'0000'0000;
inline constexpr std::size_t size = std::size_t{1} << 30;

[[nodiscard]] inline bool contains(const void* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - base < size;
}

/// Null once a search has begun, and when the memory is used up.
[[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment, allocation_form form = {}) noexcept;

/// A block that was freed in this execution, and is no larger now: the model has it allocated again.
void allocate_again(void* block, std::size_t bytes, allocation_form form) noexcept;

/// Of a block that allocate() returned.
[[nodiscard]] std::size_t size_of(const void* block) noexcept;

/// While code on trial runs it tells the runtime, and ends the execution as heap::deallocate() does.
void deallocate(void* block, allocation_form form = {}, std::size_t told = unknown_size) noexcept;

/// What was handed out so far, in whole pages. From now on nothing more is.
[[nodiscard]] memory_range seal() noexcept;

}  // namespace ordeal::static_memory
