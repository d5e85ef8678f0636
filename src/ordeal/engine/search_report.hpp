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

/// The atomic sites that were reached.
[[nodiscard]] std::vector<reached_site> sites_of(const std::vector<std::uint8_t>& marks);

/// Adds sites that another process reached.
void merge_sites(const std::vector<reached_site>& more, std::vector<reached_site>& into);

/// A verdict on a mutant whose site was not reached is none: it becomes inconclusive.
void require_overrides_met(const std::vector<order_override>& overrides, search_result& result);

/// A livelock has thousands of steps; its beginning and its end are what one reads.
[[nodiscard]] trace shortened(const trace& whole);

}  // namespace ordeal
