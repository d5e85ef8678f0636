// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <new>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct allocation_failure {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does a constructor that gets no memory throw, and leave other handles as they were?";
    static constexpr auto threads = std::array{"constructor", "setter"};
    coro::awaitable_event<P> event;
    coro::awaitable_event<P> other = event;
    bool thrown = false;
    bool seen = false;

    void run(int thread) {
        if (thread == 1) {
            other.set();
            return;
        }
        fail_allocation(1);
        try {
            event = coro::awaitable_event<P>();
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        fail_allocation(0);
        seen = event.is_set();  // while it is being set: the two handles still stand for one event
    }
    void finish() {
        require(thrown, "the constructor throws std::bad_alloc");
        require(event.is_set(), "the handle assigned to stands for the same event as before");
        event = coro::awaitable_event<P>();
        require(!event.is_set() && other.is_set(), "with memory the assignment succeeds");
    }
};
ORDEAL_SCENARIO("shared_event/allocation_failure", allocation_failure);

}  // namespace
}  // namespace ordeal::production
