// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// What the JSON report of an audit says, read back: the part of it that stays the same when the same code is audited again on
// another day. Counts, times and tokens are not.
namespace ordeal::detail {

/// A weaker order at a site, and what was said of it.
struct kept_order {
    std::string tried;
    std::string verdict;
    std::string kind;  ///< of the violation; empty: none
};

struct kept_site {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string function;
    std::string operation;
    std::string role;
    std::string declared;
    std::string verdict;
    std::string stronger;  ///< what it needs; empty: nothing
    std::vector<kept_order> weaker;
};

/// Orders by the index of their site in kept_subject::sites.
using kept_orders = std::map<std::size_t, std::string>;

struct kept_acceptance {
    std::string kind;
    std::string file;
    std::uint32_t line = 0;
};

struct kept_scenario {
    std::string name;
    std::string verdict;
    std::string kind;
    std::vector<kept_acceptance> accepted;
};

struct kept_subject {
    std::string name;
    std::string verdict;
    std::string kind;
    std::vector<kept_scenario> scenarios;
    std::vector<kept_site> sites;          ///< by file, line, column, role
    std::vector<kept_orders> assignments;  ///< minimal ones; those of sites that scenarios reach together
    bool all_assignments = true;           ///< and there is no other
    std::vector<kept_orders> repairs;      ///< the changes of each
};

struct kept_audit {
    std::string engine;
    std::string model;
    std::vector<kept_subject> subjects;
};

/// Reads what audit_json() wrote. Throws std::runtime_error with a clause for a user, "it has no 'subjects'", when the text is
/// no such report or an unfinished one.
[[nodiscard]] kept_audit parse_kept_audit(std::string_view text);

}  // namespace ordeal::detail
