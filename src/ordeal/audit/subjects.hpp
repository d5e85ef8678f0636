// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The scenarios grouped by subject, without results. Subjects by name, scenarios in the order given.
[[nodiscard]] std::vector<audited_subject> group_by_subject(std::span<const scenario* const> selected);

/// Whether the file at `path` belongs to `subject`: its stem is the subject's name after any slash ("plain/task" is
/// `task.hpp` without a policy).
[[nodiscard]] bool is_file_of(std::string_view path, std::string_view subject);

/// The atomic sites that belong to `subject`: those in its file, and those that its scenarios reach in headers of its
/// folder, or below, that belong to no subject of `production`: a queue's list belongs to the queue. Without a file of
/// its own, those that its scenarios reach in any file that belongs to no subject. The same for an exhibit, whose
/// design may be in a file that it shares.
[[nodiscard]] std::vector<site> sites_of(const audited_subject& subject, std::span<const std::string_view> production);

/// Adds the sites of `seen` that are missing from `known`. Two declared orders at one location are two sites: a
/// template may be passed its order.
void merge_sites(std::vector<site>& known, std::span<const site> seen);

[[nodiscard]] bool same_site(const site& left, const site& right);
[[nodiscard]] bool has_site(std::span<const site> sites, const site& wanted);

/// `replacement` at this site, and at no other one of its location.
[[nodiscard]] order_override change_at(const site& where, order replacement);

/// Omits the declared order in each change whose location has only one site among those known.
void shorten(std::vector<order_override>& changes, std::span<const site> known);

/// "slots_" of "ring.slots_[3]": the last name in an object's name. Empty if that is no name.
[[nodiscard]] std::string last_name(std::string_view object);

/// The site of the subject; null if there is none.
[[nodiscard]] const audited_site* find_site(const audited_subject& subject, const site& where);

/// A site as a search reached it; null if it did not.
[[nodiscard]] const reached_site* find_reached(const search_result& result, const site& where);

[[nodiscard]] bool is_as_expected(const expectation& expected, const search_result& result);

/// Sets the verdict, the kind, and whether all is as expected, from the scenarios' results.
void conclude(audited_subject& subject);

}  // namespace ordeal::detail
