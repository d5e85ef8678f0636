// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/target.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, all_targets.size()> names{"x86-64", "aarch64", "aarch64+lse", "riscv64",
                                                                 "ppc64le"};

}  // namespace

std::string_view to_string(target value) noexcept { return names[static_cast<std::size_t>(value)]; }

std::optional<target> parse_target(std::string_view name) noexcept {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<target>(found - names.begin());
}

}  // namespace ordeal::detail
