// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ordeal::detail {

/// An instruction set for which operations are compiled, to estimate their cost. cmake/instruction_targets.cmake has
/// the compiler flags.
enum class target : std::uint8_t {
    x86_64,
    aarch64,      ///< without LSE: a read-modify-write is a loop of exclusive accesses
    aarch64_lse,  ///< with LSE, the atomic instructions of Armv8.1
    riscv64,      ///< RV64GC
    ppc64le,      ///< POWER8, little-endian
};

/// All of them, whether this build has their instructions or not.
inline constexpr std::array all_targets{target::x86_64, target::aarch64, target::aarch64_lse, target::riscv64,
                                        target::ppc64le};

/// As the user names them, in the order of the enumerators.
inline constexpr std::array<std::string_view, all_targets.size()> target_names{"x86-64", "aarch64", "aarch64+lse",
                                                                               "riscv64", "ppc64le"};

[[nodiscard]] constexpr std::string_view to_string(target value) noexcept {
    return target_names[static_cast<std::size_t>(value)];
}
[[nodiscard]] constexpr std::optional<target> parse_target(std::string_view name) noexcept {
    const auto found = std::ranges::find(target_names, name);
    if (found == target_names.end()) return std::nullopt;
    return static_cast<target>(found - target_names.begin());
}

}  // namespace ordeal::detail
