// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>
#include <vector>

namespace ordeal::detail {

/// The cost of these sites' operations with these orders, on each of the targets(). The two sites of a compare-exchange
/// count once; if one of them is missing, its order is the one declared in `all`.
[[nodiscard]] std::vector<target_cost> costs_of(std::span<const site> sites, std::span<const order> orders,
                                                std::span<const audited_site> all);

/// Sets the cost of a repair's operations, before and after it. A new fence costs what it is compiled to.
void note_costs(repair& value, std::span<const audited_site> all);

/// Sets what each order of a site is compiled to, and whether a weaker one is compiled to the same.
void note_costs(audited_subject& subject);

}  // namespace ordeal::detail
