// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/demands.hpp"
#include "ordeal/report/baseline_audit.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// Which sites of two audits of one subject are the same ones: pairs of indices, the earlier one first. A site is known
/// by its file, its function, its operation and its role; of several equal ones by their order in the source. Lines may
/// differ.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> same_sites(std::span<const baseline_site> was,
                                                                          std::span<const baseline_site> is);

/// What differs, in words. `all`: the later audit was asked for every subject, so that one that it does not have is
/// lost; otherwise it is only counted.
[[nodiscard]] baseline_comparison compare_audits(const baseline_audit& was, const baseline_audit& is, bool all);

/// The lines that end a text report: "as in FILE", or what differs.
[[nodiscard]] std::string baseline_text(const baseline_comparison& made, const text_style& style);

}  // namespace ordeal::detail
