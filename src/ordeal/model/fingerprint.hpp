// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal {

/// A hash of bytes in memory, continuing an earlier one; for telling states of the code on trial apart.
[[nodiscard]] inline std::uint64_t hash_of_bytes(std::uintptr_t address, std::size_t size, std::uint64_t hash) noexcept {
    hash ^= 0x9e3779b97f4a7c15u + size;
    for (std::size_t done = 0; done < size; done += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(address + done), std::min(sizeof(word), size - done));
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace ordeal
