// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstdint>
#include <vector>

// What every engine's result is made with.
namespace ordeal {

/// What is known of a site, by site id.
inline constexpr std::uint8_t site_was_reached = 1;
inline constexpr std::uint8_t site_was_crossed = 2;  ///< a value crossed threads there

/// Adds the atomic sites that were reached. A verdict on a mutant whose site was not is none: it becomes inconclusive.
void describe_sites(const std::vector<std::uint8_t>& marks, search_result& result);

/// A livelock has thousands of steps; its beginning and its end are what one reads.
[[nodiscard]] trace shortened(const trace& whole);


}  // namespace ordeal
