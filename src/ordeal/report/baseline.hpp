// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/common_results.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::detail {

// What the JSON report of an audit says, read back: the part of it that stays the same when the same code is audited
// again on another day. Counts, times and tokens are not.

/// A weaker order at a site, and what was said of it.
struct baseline_order {
    std::string tried;
    std::string verdict;
    std::string kind;  ///< of the violation; empty: none
};

struct baseline_site {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string function;
    std::string operation;
    std::string role;
    std::string declared;
    std::string verdict;
    std::string stronger;  ///< what it needs; empty: nothing
    std::vector<baseline_order> weaker;
};

/// Orders by the index of their site in baseline_subject::sites.
using baseline_orders = std::map<std::size_t, std::string>;

struct baseline_acceptance {
    std::string kind;
    std::string file;
    std::uint32_t line = 0;
};

struct baseline_scenario {
    std::string name;
    std::string verdict;
    std::string kind;
    std::vector<baseline_acceptance> accepted;
};

struct baseline_subject {
    std::string name;
    std::string verdict;
    std::string kind;
    std::vector<baseline_scenario> scenarios;
    std::vector<baseline_site> sites;          ///< by file, line, column, role
    std::vector<baseline_orders> assignments;  ///< minimal ones; those of sites that scenarios reach together
    bool all_assignments = true;               ///< and there is no other
    std::vector<baseline_orders> repairs;      ///< the changes of each
};

struct baseline_audit {
    std::string engine;
    std::string model;
    std::vector<baseline_subject> subjects;
};

/// Reads what audit_json() wrote. Throws std::runtime_error with a clause for a user, "it has no 'subjects'", when the
/// text is no such report or an unfinished one.
[[nodiscard]] baseline_audit parse_baseline_audit(std::string_view text);

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
