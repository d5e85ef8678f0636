// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/memory/allocation_form.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

class snapshot;

/// The allocator of the code on trial. Each model thread has an arena at a fixed address, so that its addresses depend
/// on that thread alone; within an execution an address is reused only where the runtime says so. Global operator new
/// and delete end up here while code on trial runs.
namespace heap {

/// Discards every block; at the beginning of an execution.
void reset() noexcept;

/// Save and restore all blocks with their contents, and the scenario object.
void save(snapshot& to);
void restore(snapshot& from);

/// The largest scenario object.
inline constexpr std::size_t most_for_scenario = std::size_t{64} << 20;
/// Memory for the scenario object itself, outside the accounting.
[[nodiscard]] void* scenario_storage(std::size_t size, std::size_t alignment);

/// Null if a fault was injected or the arena is full. Reports to the runtime.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment, allocation_form form = {}) noexcept;

/// The requested size rounded up; blocks of one class can replace each other.
[[nodiscard]] std::size_t size_class(std::size_t size) noexcept;

/// Makes the n-th allocation from now on by the current model thread fail; 0: none.
void fail_allocation(unsigned n) noexcept;
/// No allocation of this thread is to fail, as a new one has its id.
void begin_thread(int thread) noexcept;

/// Reports to the runtime; ends the execution on a double free, an address that was never handed out, or the wrong
/// deallocation function.
void deallocate(void* block, allocation_form form = {}, std::size_t size = unknown_size) noexcept;

/// The requested size of the block; 0 if there is none at this address.
[[nodiscard]] std::size_t size_of(const void* block) noexcept;

/// The range of all possible blocks and the scenario object.
[[nodiscard]] memory_range region() noexcept;

/// Whether the address lies in an arena, in use or not.
[[nodiscard]] bool contains(const void* address) noexcept;

/// "byte 8 of a block of 24 bytes", or what else is there; empty if it is no address of the heap.
[[nodiscard]] std::string describe(std::uintptr_t address);

/// Fill pattern of memory that was allocated and not written.
inline constexpr unsigned char fill = 0xcd;

/// The arena that an address is in (-1: construction and finish()), and the offset; nothing if it is in none.
struct arena_position {
    int thread = -1;
    std::uintptr_t offset = 0;
};
[[nodiscard]] std::optional<arena_position> owner_of(std::uintptr_t address) noexcept;

/// Whether the address lies in a block that has been freed.
[[nodiscard]] bool freed(std::uintptr_t address) noexcept;

/// A hash of the contents of the scenario object and all blocks in use.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

/// Whether memory covered by `fingerprint` may hold a point in time, see virtual_time.
[[nodiscard]] bool holds_time() noexcept;

/// The leaked blocks, in words; empty if there are none. A block is not leaked if a word in `roots`, or in a block so
/// reached, points to or into it: a global owns it.
[[nodiscard]] std::string describe_leaks(std::span<const memory_range> roots = {});

}  // namespace heap

}  // namespace ordeal::detail

namespace ordeal::detail::heap {

/// The blocks that the code on trial has allocated and not freed, by address within each thread.
[[nodiscard]] std::vector<memory_range> live_blocks();

}  // namespace ordeal::detail::heap
