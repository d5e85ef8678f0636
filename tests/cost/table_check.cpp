// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table_check.hpp"

#include <array>

namespace ordeal {

using namespace detail;

namespace {

constexpr std::array all_orders{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};
constexpr std::array<std::size_t, 4> widths{1, 2, 4, 8};

bool weaker_or_same(order weak, order strong) { return weak == strong || weaker(weak, strong); }

void add_entries(std::vector<table_entry>& result, atomic_operation what, std::size_t width) {
    for (const order using_order : all_orders) {
        if (!allowed(role_of(what), using_order)) continue;
        if (!is_compare_exchange(what)) {
            result.push_back({what, width, using_order, order::relaxed});
            continue;
        }
        for (const order failure : all_orders) {
            if (allowed(role::failure, failure)) result.push_back({what, width, using_order, failure});
        }
    }
}

}  // namespace

std::string to_string(const table_entry& value) {
    std::string result(to_string(value.what));
    if (value.what != atomic_operation::fence) result += ' ' + std::to_string(value.width);
    result += ' ';
    result += to_string(value.using_order);
    if (!is_compare_exchange(value.what)) return result;
    result += ' ';
    return result += to_string(value.failure);
}

std::vector<table_entry> all_entries() {
    std::vector<table_entry> result;
    for (const atomic_operation what : all_atomic_operations) {
        if (what == atomic_operation::fence) {
            add_entries(result, what, usual_width);
            continue;
        }
        for (const std::size_t width : widths) add_entries(result, what, width);
    }
    return result;
}

bool stronger(const table_entry& weak, const table_entry& strong) {
    if (weak.what != strong.what || weak.width != strong.width) return false;
    if (weak.using_order == strong.using_order && weak.failure == strong.failure) return false;
    return weaker_or_same(weak.using_order, strong.using_order) && weaker_or_same(weak.failure, strong.failure);
}

std::optional<instruction_sequence> look_up(target on, const table_entry& entry) {
    return instructions_of(on, entry.what, entry.width, entry.using_order, entry.failure);
}

std::vector<std::string> problems_of(target on, const table_lookup& table) {
    const std::vector<table_entry> entries = all_entries();
    std::vector<std::string> result;
    for (const table_entry& weak : entries) {
        const auto found = table(on, weak);
        if (!found) {
            result.push_back(to_string(weak) + " is missing");
            continue;
        }
        for (const table_entry& strong : entries) {
            if (!stronger(weak, strong)) continue;
            const auto other = table(on, strong);
            if (other && other->cost < found->cost) {
                result.push_back(to_string(strong) + " costs less than " + to_string(weak));
            }
        }
    }
    return result;
}

}  // namespace ordeal
