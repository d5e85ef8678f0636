// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

/// Groups of allocation functions with their deallocation functions.
enum class allocation_family : std::uint8_t {
    any,  ///< of the harness or of a library: not checked
    c,    ///< malloc and related functions
    object,
    array,
    mapping,  ///< mmap and munmap
};

/// How memory was allocated or is freed: the function's family, and the alignment if it has such a parameter.
struct allocation_form {
    allocation_family family = allocation_family::any;
    std::uint8_t alignment_bits = 0;  ///< 0: no such parameter

    [[nodiscard]] static constexpr allocation_form aligned(allocation_family family, std::size_t alignment) noexcept {
        return {family, static_cast<std::uint8_t>(std::bit_width(alignment))};
    }
};

/// The size, if the deallocation function has no such parameter.
inline constexpr std::size_t unknown_size = static_cast<std::size_t>(-1);

/// Null, or the violated precondition of the deallocation function ([new.delete.single], [new.delete.array], C
/// 7.22.3.3): it belongs to the allocation function, and has the same size and alignment if it has such parameters.
[[nodiscard]] const char* mismatch(allocation_form taken, std::size_t size, allocation_form given,
                                   std::size_t given_size) noexcept;

}  // namespace ordeal::detail
