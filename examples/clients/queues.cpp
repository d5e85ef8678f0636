// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../michael_scott_queue/michael_scott_queue.hpp"
#include "../mpmc_ring/mpmc_ring.hpp"
#include "../spsc_ring/spsc_ring.hpp"

#include "ordeal/scenario/clients.hpp"

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <optional>

namespace examples {
namespace {

using ordeal::calling_thread;
using ordeal::fresh;

// Values come out in the order in which they went in. There is room for so many.
void specify_queue(auto& clients, std::size_t room, std::initializer_list<const char*> pushes = {"push"}) {
    auto specification = clients.specification(std::deque<int>());
    specification.operation("pop", [](std::deque<int>& values) -> std::optional<int> {
        if (values.empty()) return std::nullopt;
        const int value = values.front();
        values.pop_front();
        return value;
    });
    for (const char* const name : pushes) {
        specification.operation(name, [room](std::deque<int>& values, int value) {
            if (values.size() == room) return false;
            values.push_back(value);
            return true;
        });
    }
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

template <std::size_t Threads>
using queue_of = michael_scott_queue<int, Threads>;

constexpr auto push_as_thread = [](auto& queue, fresh<int> value, calling_thread me) {
    queue.push(me.number, value);
    return true;
};
constexpr auto pop_as_thread = [](auto& queue, calling_thread me) { return queue.pop(me.number); };
constexpr std::size_t no_limit = ~std::size_t{0};

ORDEAL_CLIENTS(clients, "michael_scott_queue", queue_of<3>) {
    clients.operation("push", push_as_thread).publishes();
    clients.operation("pop", pop_as_thread).observes();
    clients.starts("one", {"push"});
    specify_queue(clients, no_limit);
}

// Three calls of one thread free a node and use its memory again, while another thread holds its address from before.
// All clients of three calls by two threads would be many, and one call of the other thread is enough.
ORDEAL_CLIENTS(clients, "michael_scott_queue_reuse", queue_of<2>) {
    clients.subject("michael_scott_queue");
    clients.operation("push", push_as_thread).by_owner().publishes();
    clients.operation("pop", pop_as_thread).by_owner().observes();
    clients.operation("push_by_another", push_as_thread).at_most(1).publishes();
    clients.sizes({{2, 3}});
    specify_queue(clients, no_limit, {"push", "push_by_another"});
}

}  // namespace
}  // namespace examples
