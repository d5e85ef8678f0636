// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <optional>

namespace ordeal::detail::graph {

/// An object of a thread, by its index: the same for another thread that has done the same.
struct own_location {
    int thread_id = 0;
    std::uint64_t index = 0;
};

/// The `ordinal`-th object that a thread constructs.
[[nodiscard]] constexpr location constructed_by(int thread_id, std::uint32_t ordinal) noexcept {
    return static_cast<location>(thread_id) << 24 | ordinal;
}
/// Marks an object of 16 bytes, whose values are numbers local to this process (word.hpp).
[[nodiscard]] location wide(location where) noexcept;
[[nodiscard]] bool is_wide(location where) noexcept;

/// The `incarnation`-th object at an address below 2^47; `associated_lock`: that of the object instead.
[[nodiscard]] location at_address(std::uintptr_t address, std::uint64_t incarnation, bool associated_lock) noexcept;
/// The lock associated with the object at an address.
[[nodiscard]] location associated_lock(location where) noexcept;
[[nodiscard]] std::uint64_t incarnation_of(location where) noexcept;
/// Whether it is an atomic object at this address, of any incarnation.
[[nodiscard]] bool is_at_address(location where, std::uintptr_t address) noexcept;

/// Nothing for an object outside the thread's own heap and stack.
[[nodiscard]] std::optional<own_location> owner_of(location where) noexcept;

}  // namespace ordeal::detail::graph
