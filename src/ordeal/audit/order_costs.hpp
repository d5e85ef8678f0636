// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>
#include <vector>

namespace ordeal::detail {

/// What the operations of these sites cost with these orders, on each of the targets(). Of a compare-exchange the two sites count
/// once; one that stands alone has the other order as its other site in `all` is declared.
[[nodiscard]] std::vector<target_cost> costs_of(std::span<const site> sites, std::span<const order> orders,
                                                std::span<const audited_site> all);

/// Sets what the operations of a repair cost, before and after it. A fence that is new costs what it is compiled to.
void note_costs(repair& value, std::span<const audited_site> all);

/// Sets what each order of a site is compiled to, and whether a weaker one is the same.
void note_costs(audited_subject& subject);

}  // namespace ordeal::detail
