// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ordeal {

namespace {

std::vector<scenario>& registry() {
    static std::vector<scenario> instance;
    return instance;
}

constexpr std::array<std::string_view, 3> grade_names{"acceptable", "interesting", "forbidden"};

}  // namespace

std::string_view to_string(grade value) noexcept { return grade_names[static_cast<std::size_t>(value)]; }

inline namespace ORDEAL_HARNESS_WANTED {

void register_scenario(const scenario& value) {
    auto& all = registry();
    const auto place = std::ranges::upper_bound(all, value.name, {}, &scenario::name);
    all.insert(place, value);
}

}  // namespace ORDEAL_HARNESS_WANTED

std::span<const scenario> scenarios() { return registry(); }

}  // namespace ordeal
