// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/scenario.hpp"

#include <algorithm>
#include <utility>

namespace ordeal {

namespace {

std::vector<scenario>& registry() {
    static std::vector<scenario> instance;
    return instance;
}

}  // namespace

void register_scenario(scenario value) {
    auto& all = registry();
    const auto place = std::ranges::upper_bound(all, value.name, {}, &scenario::name);
    all.insert(place, std::move(value));
}

std::span<const scenario> scenarios() { return registry(); }

}  // namespace ordeal
