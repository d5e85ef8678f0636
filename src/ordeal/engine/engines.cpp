// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separate from engine.cpp: programs compiled with a sanitizer use engine.hpp, but lack these engines.
#include "ordeal/engine/engines.hpp"

#include "ordeal/engine/graph/graph_engine.hpp"
#include "ordeal/engine/relacy/relacy_engine.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail {

std::span<engine* const> engines() {
    static graph_engine graph;
    static relacy_engine relacy;
    static const std::array<engine*, 2> all{&graph, &relacy};
    return all;
}

engine* find_engine(std::string_view name) {
    const auto all = engines();
    const auto found = std::ranges::find(all, name, &engine::name);
    return found == all.end() ? nullptr : *found;
}

}  // namespace ordeal::detail
