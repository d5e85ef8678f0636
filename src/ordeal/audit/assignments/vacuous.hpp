// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/assignments/minimal_assignments.hpp"
#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>
#include <vector>

namespace ordeal::detail {

/// The halves of an order: its effect on a write (release) and on a read (acquire). A load has no release, and a store
/// no acquire.
struct order_halves {
    bool release = false;
    bool acquire = false;

    [[nodiscard]] bool any() const noexcept { return release || acquire; }
    bool operator==(const order_halves&) const = default;
};
[[nodiscard]] order_halves halves_of(role what, order value) noexcept;

/// The vacuous halves of the declared order at a site: the scenarios hold with and without them, whatever the other
/// orders are, and that says nothing about the code, as no scenario has the accesses that they would order.
///
/// A half is *of use* in one of two ways. In some execution as written, its synchronisation edge is part of an order
/// between two conflicting non-atomic accesses that creating and joining threads does not order: then something else
/// orders them, too. Or some minimal assignment has it: then it replaces another order. A half that is of use in
/// neither way is vacuous. If the engine does not report handovers, no half is vacuous.
[[nodiscard]] order_halves vacuous_halves(const audit_run& run, const site& where, std::size_t place,
                                          std::span<const assignment> minimal,
                                          std::span<const audited_scenario* const> witnesses);

/// Whether `tried` leaves out a vacuous half. If all halves of an order are vacuous, every weaker order does.
[[nodiscard]] bool is_vacuous(const site& where, order_halves vacuous, order tried) noexcept;

/// The orders that keep the vacuous halves as written.
[[nodiscard]] std::vector<order> orders_that_keep(const site& where, order_halves vacuous,
                                                  std::span<const order> orders);

/// The access that the scenarios lack: "nobody writes r.data[0] after reading this store". An execution in which a
/// value crosses threads at the site is replayed for the name of what it would hand over.
[[nodiscard]] std::string missing_access(audit_run& run, const site& where, order_halves vacuous,
                                         std::span<const audited_scenario* const> witnesses);

}  // namespace ordeal::detail
