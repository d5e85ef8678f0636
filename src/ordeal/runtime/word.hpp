// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

// The runtime passes the value of an atomic as a 64-bit word: its low bytes, or, for an object of 16 bytes, a number
// that stands for the value. Equal values have equal numbers and different values different ones, so code that only
// compares words need not distinguish them. A number is valid as long as this process lives, also after a run is
// resumed from a snapshot. Zero is 0.
namespace ordeal {

/// The size of objects whose values are numbered.
inline constexpr std::size_t wide_size = 16;

/// A value of 16 bytes: the first 8 bytes and the other 8.
struct wide_value {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    bool operator==(const wide_value&) const = default;
};

/// Not thread-safe: called on the one OS thread that runs the model.
[[nodiscard]] std::uint64_t number_of(const wide_value& value);
/// The inverse of number_of() in this process; ends the process for any other number.
[[nodiscard]] wide_value wide_value_of(std::uint64_t number) noexcept;

/// Convert between an object of `size` bytes and its word.
[[nodiscard]] inline std::uint64_t word_in(const void* bytes, std::size_t size) noexcept {
    if (size == wide_size) {
        wide_value value;
        std::memcpy(&value, bytes, sizeof(value));
        return number_of(value);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);  // little endian: the low bytes
    return word;
}
inline void put_word_in(void* bytes, std::size_t size, std::uint64_t word) noexcept {
    if (size == wide_size) {
        const wide_value value = wide_value_of(word);
        std::memcpy(bytes, &value, sizeof(value));
        return;
    }
    std::memcpy(bytes, &word, size);
}

/// What a read-modify-write stores when it reads `before`, both as words of an object of `size` bytes.
[[nodiscard]] std::uint64_t changed_word(modification how, std::uint64_t before, std::uint64_t operand,
                                         std::size_t size) noexcept;

}  // namespace ordeal
