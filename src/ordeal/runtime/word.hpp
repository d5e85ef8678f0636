// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

// What an atomic holds travels through the runtime as a word of 64 bits: the low bytes of it, or, where the object has 16 bytes, a
// number that stands for its value. Equal values have equal numbers and others have others, so that nobody who only compares
// words need know which it is. A number is good for this process, as long as it lives, whatever is run again from a copy.
// Zero is 0.
namespace ordeal {

/// The size of an object whose values have numbers.
inline constexpr std::size_t wide_size = 16;

/// A value of 16 bytes: the first 8 of them, and the others.
struct wide_value {
    std::uint64_t first = 0;
    std::uint64_t second = 0;

    bool operator==(const wide_value&) const = default;
};

/// Not thread-safe: called where the model runs, which is one thread.
[[nodiscard]] std::uint64_t number_of(const wide_value& value);
/// Of a number that number_of() has returned in this process; ends the process for any other.
[[nodiscard]] wide_value wide_value_of(std::uint64_t number) noexcept;

/// The word of an object of `size` bytes, and back.
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

/// What a read-modify-write puts in place of `before`, both as words of an object of `size` bytes.
[[nodiscard]] std::uint64_t changed_word(modification how, std::uint64_t before, std::uint64_t operand,
                                         std::size_t size) noexcept;

}  // namespace ordeal
