// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/process_state/library_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ordeal {

/// An object that a function of a library is given by address, and reads or writes on behalf of its caller.
struct accessed_argument {
    std::uint8_t number =
        0;                   ///< of the arguments that are passed in registers for integers; `this` and a place for the
                             ///< result count
    std::uint16_t size = 0;  ///< bytes; 0: no such object
    bool writes = false;
};

/// A function of a library of which it is known what it may read and write, on whose behalf, and in which order with the calls of
/// other threads: library_functions.cpp says by which rule.
struct library_function {
    std::string_view symbol;  ///< a '*' at the end stands for anything
    std::array<accessed_argument, 3> objects{};
    /// What it reads that no thread may write at once: what a library keeps for all of them.
    std::optional<library_state> uses{};
    /// What threads use one after the other, in an order that is explored.
    std::optional<library_state> serialised_on{};

    /// Whether a call needs no account.
    [[nodiscard]] constexpr bool is_harmless() const noexcept {
        return objects[0].size == 0 && !uses && !serialised_on;
    }
};

/// Null: what the function may read and write is not known.
[[nodiscard]] const library_function* library_function_of(std::string_view symbol) noexcept;

/// All of them, in the order in which they are looked for.
[[nodiscard]] std::span<const library_function> library_functions() noexcept;

/// Whether a function of a library that is not known above can change nothing of the process but memory: libstdc++'s, that of its
/// caller, and the heap.
[[nodiscard]] bool changes_memory_alone(std::string_view symbol) noexcept;

}  // namespace ordeal
