// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../michael_scott_queue/michael_scott_queue.hpp"
#include "../mpmc_ring/mpmc_ring.hpp"
#include "../spsc_ring/spsc_ring.hpp"

#include "ordeal/scenario/clients.hpp"

#include <cstddef>
#include <deque>
#include <optional>

namespace examples {
namespace {

using ordeal::calling_thread;
using ordeal::fresh;

// Values come out in the order in which they went in. There is room for so many.
void specify_queue(auto& clients, std::size_t room) {
    clients.specification(std::deque<int>())
        .operation("push",
                   [room](std::deque<int>& values, int value) {
                       if (values.size() == room) return false;
                       values.push_back(value);
                       return true;
                   })
        .operation("pop", [](std::deque<int>& values) -> std::optional<int> {
            if (values.empty()) return std::nullopt;
            const int value = values.front();
            values.pop_front();
            return value;
        });
}

using ring_of_two = mpmc_ring<int, 2>;
ORDEAL_CLIENTS(clients, "mpmc_ring", ring_of_two) {
    // A push or pop by another thread that has begun, and not ended, may be in the way.
    clients.operation("push", [](auto& ring, fresh<int> value) { return ring.try_push(value); }).may_fail().publishes();
    clients.operation("pop", [](auto& ring) { return ring.try_pop(); }).may_fail().observes();
    clients.starts("full", {"push", "push"});
    specify_queue(clients, 2);
}

using ring_of_one_producer = spsc_ring<int, 2>;
ORDEAL_CLIENTS(clients, "spsc_ring", ring_of_one_producer) {
    // Full and empty may be out of date.
    clients.operation("push", [](auto& ring, fresh<int> value) { return ring.push(value); })
        .by_one_thread()
        .may_fail()
        .publishes();
    clients.operation("pop", [](auto& ring) { return ring.pop(); }).by_one_thread().may_fail().observes();
    clients.starts("full", {"push", "push"});
    clients.sizes({{1, 3}, {2, 1}, {2, 2}, {2, 3}});
    specify_queue(clients, 2);
}

using queue_of_three = michael_scott_queue<int, 3>;
ORDEAL_CLIENTS(clients, "michael_scott_queue", queue_of_three) {
    clients
        .operation("push",
                   [](auto& queue, fresh<int> value, calling_thread me) {
                       queue.push(me.number, value);
                       return true;
                   })
        .publishes();
    clients.operation("pop", [](auto& queue, calling_thread me) { return queue.pop(me.number); }).observes();
    clients.starts("one", {"push"});
    specify_queue(clients, ~std::size_t{0});
}

}  // namespace
}  // namespace examples
