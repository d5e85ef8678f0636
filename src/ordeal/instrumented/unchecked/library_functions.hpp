// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/process_state/library_state.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ordeal::detail {

/// How many elements are at an address passed to a library function.
struct extent {
    enum class kind : std::uint8_t {
        one,
        counted,  ///< as the argument `last` says
        spanned,  ///< from the address in the argument `first` to that in the argument `last`, which are to bytes
    };
    kind by = kind::one;
    std::uint8_t first = 0;
    std::uint8_t last = 0;
};

/// An object passed by address to a library function, which reads or writes it on behalf of its caller; or several.
struct accessed_argument {
    std::uint8_t number = 0;  ///< among the integer arguments, including `this` and the hidden result pointer
    std::uint16_t size = 0;   ///< bytes of each; 0: no such object
    bool writes = false;
    extent count{};
};

/// A library function with known accesses: what it may read and write, on whose behalf, and in which order with the
/// calls of other threads; library_functions.cpp states the rule.
struct library_function {
    std::string_view symbol;  ///< a '*' at the end matches anything
    std::array<accessed_argument, 5> objects{};
    /// Shared state of the library that it reads and that no thread may write concurrently.
    std::optional<library_state> uses{};
    /// State that threads use one after the other, in an order that is explored.
    std::optional<library_state> serialised_on{};

    /// Whether a call has no effect to account for.
    [[nodiscard]] constexpr bool is_harmless() const noexcept {
        return objects[0].size == 0 && !uses && !serialised_on;
    }
};

/// Null: the accesses of the function are unknown.
[[nodiscard]] const library_function* library_function_of(std::string_view symbol) noexcept;

/// The tables of virtual functions of libstdc++ by which code on trial calls functions that are listed.
[[nodiscard]] std::span<const char* const> tables_of_virtual_functions() noexcept;

/// All of them, in lookup order.
[[nodiscard]] std::span<const library_function> library_functions() noexcept;

/// Whether a library function not listed above can change nothing of the process but memory: libstdc++'s, that of its
/// caller, and the heap.
[[nodiscard]] bool changes_memory_alone(std::string_view symbol) noexcept;

}  // namespace ordeal::detail
