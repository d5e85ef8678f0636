// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"
#include "ordeal/scenario/client_programs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Scenarios that a table has in one row: a single one, or the clients of one size that are alike.
template <class Entry>
struct table_row {
    std::string name;  ///< "ring/2x2 (12 clients)"
    std::vector<const Entry*> entries;
};

/// The searches in the rows of a table: clients of one size, engine, verdict and expectation share a row.
[[nodiscard]] std::vector<table_row<checked_scenario>> rows_of(const std::vector<checked_scenario>& searches);
/// The scenarios likewise.
[[nodiscard]] std::vector<table_row<list_report::entry>> rows_of(const std::vector<list_report::entry>& scenarios);

/// Which of these searches to show in full: of the clients of a class, the smallest for each kind of violation.
[[nodiscard]] std::vector<const checked_scenario*> shown_in_full(const std::vector<checked_scenario>& searches);
/// Of the others a line for each class and kind: empty, or with the end of its last line.
[[nodiscard]] std::string not_shown_text(const std::vector<checked_scenario>& searches);

/// "50 clients of 1x3, 2x1, 2x2 and 3x1, from 2 states".
[[nodiscard]] std::string words_of(const client_set& set);
/// The classes all of whose clients are among these scenarios.
[[nodiscard]] std::vector<const client_set*> complete_sets(const std::vector<std::string_view>& scenarios);

/// What was said of all clients of each class: a line for each, empty if there are none.
[[nodiscard]] std::string clients_text(const std::vector<checked_scenario>& searches);

}  // namespace ordeal::detail
