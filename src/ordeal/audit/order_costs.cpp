// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/phases.hpp"

#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace ordeal::detail {

namespace {

bool is_half(const site& where) { return where.key.what == role::success || where.key.what == role::failure; }

bool are_one_operation(const site& left, const site& right) {
    return left.key.file == right.key.file && left.key.line == right.key.line && left.key.column == right.key.column &&
           left.operation == right.operation && left.key.what != right.key.what;
}

// The order of the other site of a compare-exchange: the chosen one, else the declared one.
std::optional<order> order_of_other_half(const site& where, std::span<const site> sites, std::span<const order> orders,
                                         std::span<const audited_site> all) {
    for (std::size_t i = 0; i != sites.size(); ++i) {
        if (is_half(sites[i]) && are_one_operation(sites[i], where)) return orders[i];
    }
    const auto found = std::ranges::find_if(
        all, [&](const audited_site& each) { return is_half(each.where) && are_one_operation(each.where, where); });
    if (found == all.end()) return std::nullopt;
    return found->where.declared;
}

std::optional<instruction_sequence> instructions_with(target on, const site& where, order used,
                                                      std::span<const site> sites, std::span<const order> orders,
                                                      std::span<const audited_site> all) {
    if (!is_half(where)) return instructions_at(on, where, used);
    const order other = order_of_other_half(where, sites, orders, all).value_or(order::relaxed);
    return where.key.what == role::success ? pair_instructions_at(on, where, used, other)
                                           : pair_instructions_at(on, where, other, used);
}

// Omits the failure site if both sites of a compare-exchange are among the sites.
bool counts(std::size_t which, std::span<const site> sites) {
    if (sites[which].key.what != role::failure) return true;
    return std::ranges::none_of(sites, [&](const site& other) {
        return other.key.what == role::success && are_one_operation(other, sites[which]);
    });
}

}  // namespace

std::vector<target_cost> costs_of(std::span<const site> sites, std::span<const order> orders,
                                  std::span<const audited_site> all) {
    std::vector<target_cost> result;
    for (const target on : targets()) {
        target_cost sum{.on = on, .cost = 0, .instructions = {}};
        for (std::size_t i = 0; i != sites.size(); ++i) {
            if (!counts(i, sites)) continue;
            const auto found = instructions_with(on, sites[i], orders[i], sites, orders, all);
            if (!found) continue;  // an operation that the tables lack costs nothing with any order
            sum.cost += found->cost;
            sum.instructions.emplace_back(to_string(*found));
        }
        result.push_back(std::move(sum));
    }
    return result;
}

namespace {

site fence_beside(const order_override& change) {
    site result;
    result.key = change.site;
    result.key.what = role::fence;
    result.atomic = true;
    result.operation = "atomic_thread_fence";
    return result;
}

}  // namespace

void note_costs(repair& value, std::span<const audited_site> all) {
    std::vector<site> sites;
    std::vector<order> before;
    std::vector<order> after;
    const auto add = [&](const site& where, order written, order changed) {
        sites.push_back(where);
        before.push_back(written);
        after.push_back(changed);
    };
    for (const order_override& change : value.changes) {
        if (adds_fence(change)) add(fence_beside(change), order::relaxed, change.replacement);
        for (const audited_site& each : all) {
            if (!adds_fence(change) && concerns(change, each.where)) {
                add(each.where, each.where.declared, change.replacement);
            }
        }
    }
    value.written = costs_of(sites, before, all);
    value.costs = costs_of(sites, after, all);
}

void note_costs(audited_subject& subject) {
    for (audited_site& value : subject.sites) {
        const auto costs = [&](order used) { return costs_of({&value.where, 1}, {&used, 1}, subject.sites); };
        value.costs = costs(value.where.declared);
        for (audited_order& each : value.weaker) each.costs = costs(each.tried);
    }
}

}  // namespace ordeal::detail
