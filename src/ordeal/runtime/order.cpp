// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace ordeal {

namespace {

constexpr std::array order_names{std::string_view("relaxed"), std::string_view("acquire"), std::string_view("release"),
                                 std::string_view("acq_rel"), std::string_view("seq_cst")};
constexpr std::array role_names{std::string_view("load"),  std::string_view("store"),   std::string_view("exchange"),
                                std::string_view("fetch"), std::string_view("success"), std::string_view("failure"),
                                std::string_view("fence")};
constexpr std::array all_orders{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};
constexpr std::size_t role_count = role_names.size();

template <class Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& names, std::string_view text) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

// For each role and declared order, the comparable orders on one side of it.
template <class Comparable>
std::vector<order> orders_where(role what, Comparable comparable) {
    std::vector<order> result;
    for (const order candidate : all_orders) {
        if (allowed(what, candidate) && comparable(candidate)) result.push_back(candidate);
    }
    return result;
}

using order_table = std::array<std::array<std::vector<order>, all_orders.size()>, role_count>;

template <class Relation>
order_table make_table(Relation relation) {
    order_table table;
    for (std::size_t what = 0; what < role_count; ++what) {
        for (const order declared : all_orders) {
            table[what][static_cast<std::size_t>(declared)] =
                orders_where(static_cast<role>(what), [&](order candidate) { return relation(candidate, declared); });
        }
    }
    return table;
}

std::span<const order> look_up(const order_table& table, role what, order declared) noexcept {
    return table[static_cast<std::size_t>(what)][static_cast<std::size_t>(declared)];
}

}  // namespace

order from_std(std::memory_order value) noexcept {
    switch (value) {
        case std::memory_order_relaxed: return order::relaxed;
        case std::memory_order_consume:
        case std::memory_order_acquire: return order::acquire;
        case std::memory_order_release: return order::release;
        case std::memory_order_acq_rel: return order::acq_rel;
        case std::memory_order_seq_cst: break;
    }
    return order::seq_cst;
}

std::string_view to_string(order value) noexcept { return order_names[static_cast<std::size_t>(value)]; }
std::string_view with_article(order value) noexcept {
    switch (value) {
        case order::relaxed: return "a relaxed";
        case order::acquire: return "an acquire";
        case order::release: return "a release";
        case order::acq_rel: return "an acq_rel";
        case order::seq_cst: return "a seq_cst";
    }
    return {};
}

std::string_view to_string(role value) noexcept { return role_names[static_cast<std::size_t>(value)]; }
std::optional<order> parse_order(std::string_view text) noexcept { return parse<order>(order_names, text); }
std::optional<role> parse_role(std::string_view text) noexcept { return parse<role>(role_names, text); }

bool allowed(role what, order value) noexcept {
    switch (what) {
        case role::load:
        case role::failure: return value != order::release && value != order::acq_rel;
        case role::store: return value != order::acquire && value != order::acq_rel;
        case role::exchange:
        case role::fetch:
        case role::success:
        case role::fence: break;
    }
    return true;
}

bool weaker(order weak, order strong) noexcept {
    if (weak == strong || strong == order::relaxed) return false;
    if (strong == order::seq_cst || weak == order::relaxed) return true;
    return strong == order::acq_rel && weak != order::seq_cst;
}

std::span<const order> weaker_orders(role what, order declared) noexcept {
    static const order_table table = make_table([](order candidate, order base) { return weaker(candidate, base); });
    return look_up(table, what, declared);
}

std::span<const order> stronger_orders(role what, order declared) noexcept {
    static const order_table table = make_table([](order candidate, order base) { return weaker(base, candidate); });
    return look_up(table, what, declared);
}

}  // namespace ordeal
