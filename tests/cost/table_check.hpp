// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/cost/instruction_cost.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ordeal {

using namespace detail;

/// An entry of the table: an operation with the orders that it has there. `failure` is relaxed but for a compare-exchange.
struct table_entry {
    atomic_operation what = atomic_operation::load;
    std::size_t width = usual_width;
    order using_order = order::relaxed;
    order failure = order::relaxed;
};

/// "compare_exchange_weak 8 acq_rel acquire"
std::string to_string(const table_entry& value);

/// Every entry that a table must have: each operation with each width and each order that the standard allows it.
std::vector<table_entry> all_entries();

/// Whether the second is the first with stronger orders: none weaker, one stronger.
bool stronger(const table_entry& weak, const table_entry& strong);

using table_lookup = std::function<std::optional<instruction_sequence>(target, const table_entry&)>;

/// The table of this build.
std::optional<instruction_sequence> look_up(target on, const table_entry& entry);

/// What is wrong with a table: entries that are missing, stronger orders that cost less.
std::vector<std::string> problems_of(target on, const table_lookup& table);

}  // namespace ordeal
