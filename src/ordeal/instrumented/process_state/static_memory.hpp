// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/memory/allocation_form.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace ordeal::detail::static_memory {

// Memory that the code on trial allocates before main, in constructors of its static objects. It is as global as they
// are, and restored before each execution. At a fixed address, the same in every process.

inline constexpr std::uintptr_t base = 0x2200'0000'0000;
inline constexpr std::size_t size = std::size_t{1} << 30;

[[nodiscard]] inline bool contains(const void* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - base < size;
}

/// Null once a search has begun, and if the memory is used up.
[[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment, allocation_form form = {}) noexcept;

/// Allocates a block again, at most as large, that was freed in this execution; the model decides that.
void allocate_again(void* block, std::size_t bytes, allocation_form form) noexcept;

/// The size of a block that allocate() returned.
[[nodiscard]] std::size_t size_of(const void* block) noexcept;

/// While code on trial runs it reports to the runtime, and ends the execution as heap::deallocate() does.
void deallocate(void* block, allocation_form form = {}, std::size_t told = unknown_size) noexcept;

/// What was handed out so far, in whole pages. Nothing more is allocated from now on.
[[nodiscard]] memory_range seal() noexcept;

}  // namespace ordeal::detail::static_memory
