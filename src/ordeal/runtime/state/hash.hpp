// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

/// Mixes the bits of a number, one to one (the end of splitmix64).
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t number) noexcept {
    number = (number ^ number >> 30) * 0xbf58'476d'1ce4'e5b9;
    number = (number ^ number >> 27) * 0x94d0'49bb'1331'11eb;
    return number ^ number >> 31;
}

/// Hashes bytes in memory, continuing an earlier hash. Files have these hashes: they stay as they are.
[[nodiscard]] inline std::uint64_t hash_of_bytes(std::uintptr_t address, std::size_t size,
                                                 std::uint64_t hash) noexcept {
    constexpr std::uint64_t factor = 0xff51afd7ed558ccdu;
    const auto word_at = [&](std::size_t offset, std::size_t count) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(address + offset), count);
        return word;
    };
    const auto mixed = [](std::uint64_t value) { return value * factor ^ value >> 29; };
    // Four at a time: one multiplication need not wait for another.
    std::array<std::uint64_t, 4> lanes{hash ^ size, 0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u};
    std::size_t done = 0;
    for (; done + 32 <= size; done += 32) {
        for (std::size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i] ^ word_at(done + 8 * i, 8));
    }
    for (; done < size; done += 8) lanes[0] = mixed(lanes[0] ^ word_at(done, std::min<std::size_t>(8, size - done)));
    for (std::size_t i = 1; i < 4; ++i) lanes[0] = mixed(lanes[0] ^ lanes[i]);
    return lanes[0];
}

/// Hashes a number, such as another hash, continuing an earlier hash. Hashes of parts chained in this way cannot cancel
/// each other.
[[nodiscard]] constexpr std::uint64_t hash_of_number(std::uint64_t number, std::uint64_t hash) noexcept {
    return mixed_bits(number + (hash + 1) * 0x9e37'79b9'7f4a'7c15);
}

}  // namespace ordeal::detail
