// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/cost/instruction_cost.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <optional>

// The cost of a site with an order, its own or another: what an audit compares.
//
// A compare-exchange is two sites, and the pair of their orders determines its instructions: neither has instructions
// of its own. The functions with two orders are for compare-exchanges, and take either site; those with one order are
// for all others. Each function returns nothing for the wrong sort, for an order that the site cannot have, and for an
// operation that the tables lack.
namespace ordeal::detail {

/// The operation of the site in the terms of the tables: `test_and_set` is an exchange, `wait` is a load, and the
/// enclosing part of the library is ignored ("fetch_sub in std::shared_ptr"). Nothing for a site that is not atomic.
[[nodiscard]] std::optional<atomic_operation> operation_at(const site& where);

[[nodiscard]] std::optional<instruction_sequence> instructions_at(target on, const site& where, order using_order,
                                                                  std::size_t width = usual_width);
[[nodiscard]] std::optional<instruction_sequence> pair_instructions_at(target on, const site& where, order success,
                                                                       order failure, std::size_t width = usual_width);

/// The sum of the costs on all of targets(), with equal weight. Two assignments of orders to the same sites may be
/// compared by the sums over their sites: the lower one is likely to be the cheaper one. Nothing if there are no
/// targets.
[[nodiscard]] std::optional<int> operation_cost(const site& where, order using_order, std::size_t width = usual_width);
[[nodiscard]] std::optional<int> pair_cost(const site& where, order success, order failure,
                                           std::size_t width = usual_width);

}  // namespace ordeal::detail
