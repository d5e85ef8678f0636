// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ordeal/scenario/clients.hpp>

#include <algorithm>
#include <deque>
#include <optional>

enum class order_of { arrival, reverse_arrival, nothing };

/// What pop() may return of these values, and with `Order` nothing each of them.
template <order_of Order>
std::optional<int> taken(std::deque<int>& values, ordeal::choice& choose) {
    if (values.empty()) return std::nullopt;
    auto which = values.begin();
    if (Order == order_of::reverse_arrival) which = values.end() - 1;
    if (Order == order_of::nothing) which += choose(values.size());
    const int value = *which;
    values.erase(which);
    if (Order == order_of::nothing) std::ranges::sort(values);  // equal bags are equal states
    return value;
}

template <order_of Order>
void specify(auto& clients) {
    clients.starts("one", {"push"});
    clients.specification(std::deque<int>())
        .operation("push",
                   [](std::deque<int>& values, int value) {
                       values.push_back(value);
                       if (Order == order_of::nothing) std::ranges::sort(values);
                   })
        .operation("pop", taken<Order>);
}

/// Clients of a class with push(int) and pop(), which returns std::optional<int>. There is always room.
template <order_of Order = order_of::arrival>
void declare_container(auto& clients, bool pop_may_fail = false) {
    clients.operation("push", [](auto& container, ordeal::fresh<int> value) { container.push(value); }).publishes();
    auto pop = clients.operation("pop", [](auto& container) { return container.pop(); });
    pop.observes();
    if (pop_may_fail) pop.may_fail();
    specify<Order>(clients);
}

/// The same for one producer and one consumer.
inline void declare_channel(auto& clients) {
    clients.operation("push", [](auto& channel, ordeal::fresh<int> value) { channel.push(value); })
        .by_one_thread()
        .publishes();
    clients.operation("pop", [](auto& channel) { return channel.pop(); }).by_one_thread().observes();
    clients.sizes({{1, 3}, {2, 1}, {2, 2}, {2, 3}});
    specify<order_of::arrival>(clients);
}
