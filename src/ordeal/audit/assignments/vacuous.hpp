// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/assignments/minimal_assignments.hpp"
#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>
#include <vector>

namespace ordeal::detail {

/// The halves of an order: what it gives to a write, and what to a read. A load has no release, and a store no acquire.
struct order_halves {
    bool release = false;
    bool acquire = false;

    [[nodiscard]] bool any() const noexcept { return release || acquire; }
    bool operator==(const order_halves&) const = default;
};
[[nodiscard]] order_halves halves_of(role what, order value) noexcept;

/// The halves of the declared order at a site that are vacuous: the scenarios hold with and without them, whatever the other
/// orders are, and this tells nothing of the code, for no scenario has the accesses that they would order.
///
/// A half is *of use* in one of two ways. In some execution as written, its edge of synchronisation lies on the way between two plain
/// accesses that conflict, and that creating and joining threads does not order: then something else orders them, too. Or some minimal assignment has
/// it: then it stands for another order. What is of use in neither way is vacuous. Where the engine does not know of
/// handovers, nothing is.
[[nodiscard]] order_halves vacuous_halves(const audit_run& run, const site& where, std::size_t place,
                                          std::span<const assignment> minimal,
                                          std::span<const audited_scenario* const> witnesses);

/// Whether `tried` leaves out a half that is vacuous. Of an order all of whose halves are, whatever is weaker does.
[[nodiscard]] bool is_vacuous(const site& where, order_halves vacuous, order tried) noexcept;

/// The orders that keep what is vacuous as it is written.
[[nodiscard]] std::vector<order> orders_that_keep(const site& where, order_halves vacuous,
                                                  std::span<const order> orders);

/// What the scenarios lack: "nobody writes r.data[0] after reading this store". An execution in which the site meets another thread
/// is run again for the name of what it would hand over.
[[nodiscard]] std::string missing_access(audit_run& run, const site& where, order_halves vacuous,
                                         std::span<const audited_scenario* const> witnesses);

}  // namespace ordeal::detail
