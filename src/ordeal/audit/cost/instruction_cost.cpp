// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, all_atomic_operations.size()> names{"load",
                                                                           "store",
                                                                           "exchange",
                                                                           "fetch_add",
                                                                           "fetch_sub",
                                                                           "fetch_and",
                                                                           "fetch_or",
                                                                           "fetch_xor",
                                                                           "compare_exchange_weak",
                                                                           "compare_exchange_strong",
                                                                           "fence"};

const instruction_table* table_of(target value) {
    const auto tables = instruction_tables();
    const auto found = std::ranges::find(tables, to_string(value), &instruction_table::target);
    return found == tables.end() ? nullptr : &*found;
}

// The name of the function in operations.cpp.
std::string row_name(atomic_operation what, std::size_t width, order using_order, order failure) {
    std::string result(to_string(what));
    const auto add = [&](std::string_view part) {
        result += '_';
        result += part;
    };
    if (what != atomic_operation::fence) add(std::to_string(width));
    add(to_string(using_order));
    if (is_compare_exchange(what)) add(to_string(failure));
    return result;
}

}  // namespace

std::string_view to_string(atomic_operation value) noexcept { return names[static_cast<std::size_t>(value)]; }

role role_of(atomic_operation value) noexcept {
    switch (value) {
        case atomic_operation::load: return role::load;
        case atomic_operation::store: return role::store;
        case atomic_operation::exchange: return role::exchange;
        case atomic_operation::compare_exchange_weak:
        case atomic_operation::compare_exchange_strong: return role::success;
        case atomic_operation::fence: return role::fence;
        case atomic_operation::fetch_add:
        case atomic_operation::fetch_sub:
        case atomic_operation::fetch_and:
        case atomic_operation::fetch_or:
        case atomic_operation::fetch_xor: break;
    }
    return role::fetch;
}

std::string to_string(const instruction_sequence& value) {
    return value.text.empty() ? "no instruction" : std::string(value.text);
}

std::span<const target> targets() {
    static const std::vector<target> present = [] {
        std::vector<target> result;
        for (const target each : all_targets) {
            const auto* const table = table_of(each);
            if (table != nullptr && !table->rows.empty()) result.push_back(each);
        }
        return result;
    }();
    return present;
}

std::string why_absent(target of) {
    const auto* const table = table_of(of);
    if (table != nullptr && !table->rows.empty()) return {};
    std::string result = "The instructions of " + std::string(to_string(of)) + " are not known: ";
    result += table == nullptr ? "ordeal was built without them" : table->absent_because;
    return result + '.';
}

std::optional<instruction_sequence> instructions_of(target on, atomic_operation what, std::size_t width,
                                                    order using_order, order failure) {
    const auto* const table = table_of(on);
    if (table == nullptr) return std::nullopt;
    const std::string name = row_name(what, width, using_order, failure);
    const auto found = std::ranges::lower_bound(table->rows, name, {}, &instruction_row::name);
    if (found == table->rows.end() || found->name != name) return std::nullopt;
    return instruction_sequence{found->text, cost_of(on, found->text)};
}

}  // namespace ordeal::detail
