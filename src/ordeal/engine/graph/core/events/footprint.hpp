// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail::graph {

/// The bytes of an atomic object that an access touches: its footprint, in the words of Flur et al., "Mixed-Size
/// Concurrency: ARM, POWER, C/C++11, and SC", POPL 2017. See mixed_sizes.
struct footprint {
    std::uint8_t offset = 0;
    std::uint8_t size = 0;     ///< 0: all of an object that is accessed in one size
    std::uint8_t of_size = 0;  ///< the object's

    [[nodiscard]] bool is_mixed() const noexcept { return size != 0; }
    [[nodiscard]] bool is_part() const noexcept { return size != of_size; }
    /// A bit for each byte.
    [[nodiscard]] std::uint32_t bytes() const noexcept {
        return is_mixed() ? ((std::uint32_t{1} << size) - 1) << offset : ~std::uint32_t{0};
    }
    [[nodiscard]] bool overlaps(const footprint& other) const noexcept { return (bytes() & other.bytes()) != 0; }

    // Values are words, see ordeal/runtime/word.hpp.

    /// What an access reads of the object's value.
    [[nodiscard]] std::uint64_t of(std::uint64_t value) const noexcept { return is_part() ? part_of(value) : value; }
    /// The object's value after an access has written `part`.
    [[nodiscard]] std::uint64_t put(std::uint64_t value, std::uint64_t part) const noexcept {
        return is_part() ? with_part(value, part) : part;
    }

    bool operator==(const footprint&) const = default;

private:
    [[nodiscard]] std::uint64_t part_of(std::uint64_t value) const noexcept;
    [[nodiscard]] std::uint64_t with_part(std::uint64_t value, std::uint64_t part) const noexcept;
};

}  // namespace ordeal::detail::graph
