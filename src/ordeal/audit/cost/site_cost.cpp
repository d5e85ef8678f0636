// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>
#include <string_view>

namespace ordeal::detail {

namespace {

// "fetch_sub in std::shared_ptr" -> "fetch_sub"
std::string_view bare_operation(const site& where) {
    const std::string_view text = where.operation;
    return text.substr(0, text.find(' '));
}

template <class Instructions>
std::optional<int> sum_over_targets(Instructions instructions) {
    std::optional<int> result;
    for (const target each : targets()) {
        const auto found = instructions(each);
        if (!found) return std::nullopt;
        result = result.value_or(0) + found->cost;
    }
    return result;
}

}  // namespace

std::optional<atomic_operation> operation_at(const site& where) {
    if (!where.atomic) return std::nullopt;
    const std::string_view text = bare_operation(where);
    switch (where.key.what) {
        case role::load: return atomic_operation::load;
        case role::store: return atomic_operation::store;
        case role::exchange: return atomic_operation::exchange;
        case role::fence: return atomic_operation::fence;
        case role::success:
        case role::failure:
            return text == "compare_exchange_weak" ? atomic_operation::compare_exchange_weak
                                                   : atomic_operation::compare_exchange_strong;
        case role::fetch: break;
    }
    const auto found =
        std::ranges::find(all_atomic_operations, text, [](atomic_operation each) { return to_string(each); });
    if (found == all_atomic_operations.end() || role_of(*found) != role::fetch) return std::nullopt;
    return *found;
}

std::optional<instruction_sequence> instructions_at(target on, const site& where, order using_order,
                                                    std::size_t width) {
    const auto what = operation_at(where);
    if (!what || is_compare_exchange(*what)) return std::nullopt;
    return instructions_of(on, *what, width, using_order);
}

std::optional<instruction_sequence> pair_instructions_at(target on, const site& where, order success, order failure,
                                                         std::size_t width) {
    const auto what = operation_at(where);
    if (!what || !is_compare_exchange(*what)) return std::nullopt;
    return instructions_of(on, *what, width, success, failure);
}

std::optional<int> operation_cost(const site& where, order using_order, std::size_t width) {
    return sum_over_targets([&](target each) { return instructions_at(each, where, using_order, width); });
}

std::optional<int> pair_cost(const site& where, order success, order failure, std::size_t width) {
    return sum_over_targets([&](target each) { return pair_instructions_at(each, where, success, failure, width); });
}

}  // namespace ordeal::detail
