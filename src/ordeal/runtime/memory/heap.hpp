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

namespace ordeal {

class snapshot;

/// The allocator of the code on trial. Each model thread has an arena at a fixed address, so that its addresses depend
/// on that thread alone; within an execution an address is used again only where the runtime says so. Global operator new and delete end here while
/// code on trial runs.
namespace heap {

/// Forgets every block; at the beginning of an execution.
void reset() noexcept;

/// All blocks and what they hold, and the scenario object.
void save(snapshot& to);
void restore(snapshot& from);

/// The largest scenario object.
inline constexpr std::size_t most_for_scenario = std::size_t{64} << 20;
/// Memory for the scenario object itself, outside the accounting.
[[nodiscard]] void* scenario_storage(std::size_t size, std::size_t alignment);

/// Null when a fault was injected or the arena is full. Tells the runtime.
[[nodiscard]] void* allocate(std::size_t size, std::size_t alignment, allocation_form form = {}) noexcept;

/// Blocks of one class can be handed out for one another: what was asked for, rounded up.
[[nodiscard]] std::size_t size_class(std::size_t size) noexcept;

/// Makes the n-th allocation from now on by the current model thread fail; 0: none.
void fail_allocation(unsigned n) noexcept;

/// Tells the runtime; ends the execution on a double free, an address that was never handed out, or the wrong function to
/// give the block back.
void deallocate(void* block, allocation_form form = {}, std::size_t size = unknown_size) noexcept;

/// What was asked for when the block was allocated; 0 when there is none at this address.
[[nodiscard]] std::size_t size_of(const void* block) noexcept;

/// All addresses that blocks and the scenario object may have.
[[nodiscard]] memory_range region() noexcept;

/// Whether the address lies in an arena, in use or not.
[[nodiscard]] bool contains(const void* address) noexcept;

/// "byte 8 of a block of 24 bytes", or what else is there; empty when it is no address of the heap.
[[nodiscard]] std::string describe(std::uintptr_t address);

/// What memory holds that was allocated and not written.
inline constexpr unsigned char fill = 0xcd;

/// Whose arena an address is in (-1: construction and finish), and where; nothing when it is in none.
struct arena_position {
    int thread = -1;
    std::uintptr_t offset = 0;
};
[[nodiscard]] std::optional<arena_position> owner_of(std::uintptr_t address) noexcept;

/// Whether the address lies in a block that has been freed.
[[nodiscard]] bool freed(std::uintptr_t address) noexcept;

/// A hash of what the scenario object and all blocks in use hold.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

/// Whether some of the memory that `fingerprint` covers may hold a point in time, see virtual_time.
[[nodiscard]] bool holds_time() noexcept;

/// Blocks never freed, in words; empty when there are none. What a word in `roots`, or in a block so found, points to or
/// into is none: a global owns it.
[[nodiscard]] std::string describe_leaks(std::span<const memory_range> roots = {});

}  // namespace heap

}  // namespace ordeal

namespace ordeal::heap {

/// The blocks that the code on trial has allocated and not freed, by address within each thread.
[[nodiscard]] std::vector<memory_range> live_blocks();

}  // namespace ordeal::heap
