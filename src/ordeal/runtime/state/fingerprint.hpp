// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::detail {

/// A hash of bytes in memory, continuing an earlier one, that tells states of the code on trial apart: XXH3, with the
/// vectors that this processor has. It is the same with any, but not kept: what files hold has hash_of_bytes(). Points
/// in time are shifted back by the time that has passed. For one thread at a time.
[[nodiscard]] std::uint64_t fingerprint_of_bytes(std::uintptr_t address, std::size_t size, std::uint64_t hash,
                                                 std::int64_t passed = 0) noexcept;

/// XXH3 for processors with AVX2.
[[nodiscard]] std::uint64_t xxh3_with_avx2(const void* bytes, std::size_t size) noexcept;

}  // namespace ordeal::detail
