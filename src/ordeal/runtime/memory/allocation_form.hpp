// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ordeal {

/// Functions that allocate, each with those that give back what they return.
enum class allocation_family : std::uint8_t {
    any,  ///< of the harness or of a library: not looked at
    c,    ///< malloc and its kin
    object,
    array,
    mapping,  ///< mmap and munmap
};

/// How memory was asked for, or is given back: the function's family, and the alignment where the function is told one.
struct allocation_form {
    allocation_family family = allocation_family::any;
    std::uint8_t alignment_bits = 0;  ///< 0: it was told none

    [[nodiscard]] static constexpr allocation_form aligned(allocation_family family, std::size_t alignment) noexcept {
        return {family, static_cast<std::uint8_t>(std::bit_width(alignment))};
    }
};

/// A size that the function which frees is not told.
inline constexpr std::size_t unknown_size = static_cast<std::size_t>(-1);

/// Null, or which precondition of the function that frees does not hold ([new.delete.single], [new.delete.array], C 7.22.3.3):
/// it belongs to the one that allocated, and has the same size and alignment where it is told them.
[[nodiscard]] const char* mismatch(allocation_form taken, std::size_t size, allocation_form given,
                                   std::size_t given_size) noexcept;

}  // namespace ordeal
