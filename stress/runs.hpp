// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ordeal::stress_tests {

using namespace detail;

/// Delays are drawn from it; printed, so that a failure can be repeated.
inline constexpr std::uint64_t seed = 1;

/// Until there are so many samples, and with this patience.
[[nodiscard]] search_options samples(std::uint64_t count, double hang_timeout);

/// Each on real threads in a process of its own; in the order given, whatever becomes of the others.
[[nodiscard]] std::vector<search_result> run_each(std::span<const scenario* const> what, const search_options& how);

/// With this engine.
[[nodiscard]] std::vector<search_result> run_each(std::span<const scenario* const> what, engine& with,
                                                  const search_options& how);

[[nodiscard]] const scenario& find(std::string_view name);

}  // namespace ordeal::stress_tests
