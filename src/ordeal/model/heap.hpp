// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal {

/// The allocator of the code on trial. Each model thread has an arena at a fixed address, so that its addresses depend
/// on that thread alone; no address is used twice within an execution. Global operator new and delete end here while
/// code on trial runs.
namespace heap {

/// Forgets every block; at the beginning of an execution.
void reset() noexcept;

/// Memory for the scenario object itself, outside the accounting.
[[nodiscard]] void* scenario_storage(std::size_t size, std::size_t alignment);

/// Null when a fault was injected or the arena is full. Tells the port.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment) noexcept;

/// Makes the n-th allocation from now on by the current model thread fail; 0: none.
void fail_allocation(unsigned n) noexcept;

/// Tells the port; ends the execution on a double free or an address that was never handed out.
void deallocate(void* block) noexcept;

/// Whether the address lies in an arena, in use or not.
[[nodiscard]] bool contains(const void* address) noexcept;

/// Whether the address lies in a block that has been freed.
[[nodiscard]] bool freed(std::uintptr_t address) noexcept;

/// A hash of what the scenario object and all blocks in use hold.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

/// Blocks never freed, in words; empty when there are none.
[[nodiscard]] std::string describe_leaks();

}  // namespace heap

}  // namespace ordeal
