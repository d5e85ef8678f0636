// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../chase_lev_deque/chase_lev_deque.hpp"
#include "../treiber_stack/reclaiming_stack.hpp"

#include "ordeal/scenario/clients.hpp"

#include <deque>
#include <optional>

namespace examples {
namespace {

using ordeal::fresh;

template <bool Newest>
std::optional<int> taken(std::deque<int>& values) {
    if (values.empty()) return std::nullopt;
    const int value = Newest ? values.back() : values.front();
    Newest ? values.pop_back() : values.pop_front();
    return value;
}

ORDEAL_CLIENTS(clients, "treiber_stack", reclaiming_stack<int>) {
    clients.operation("push", [](auto& stack, fresh<int> value) { stack.push(value); }).publishes();
    clients.operation("pop", [](auto& stack) { return stack.pop(); }).observes();
    clients.starts("one", {"push"});
    clients.specification(std::deque<int>())
        .operation("push", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation("pop", [](std::deque<int>& values) { return taken<true>(values); });
}

// The owner pushes and takes, anybody steals; a thief who loses against another one says so, and has no element.
struct deque_of_two : chase_lev_deque<int> {
    deque_of_two() : chase_lev_deque<int>(2) {}
};
ORDEAL_CLIENTS(clients, "chase_lev_deque", deque_of_two) {
    clients.operation("push", [](auto& deque, fresh<int> value) { deque.push(value); }).by_owner().publishes();
    clients.operation("take", [](auto& deque) { return deque.take(); }).by_owner().observes();
    clients.operation("steal", [](auto& deque) { return deque.steal(); }).may_fail().observes();
    clients.starts("full", {"push", "push"});
    clients.specification(std::deque<int>())
        .operation("push", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation("take", [](std::deque<int>& values) { return taken<true>(values); })
        .operation("steal", [](std::deque<int>& values) { return taken<false>(values); });
}

}  // namespace
}  // namespace examples
