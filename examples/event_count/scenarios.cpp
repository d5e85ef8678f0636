// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_count.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace examples {
namespace {

struct one_waiter {
    static constexpr auto about = "One thread waits for a flag that another sets: it is woken, or never sleeps.";
    static constexpr auto threads = std::array{"waiter", "notifier"};
    event_count events;
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            events.await([this] { return ready.load(std::memory_order_relaxed); });
        } else {
            ready.store(true, std::memory_order_relaxed);
            events.notify_one();
        }
    }
};
ORDEAL_SCENARIO("event_count/one_waiter", one_waiter);

struct two_notifiers {
    static constexpr auto about = "A thread waits for two others, each of which notifies once.";
    static constexpr auto threads = std::array{"waiter", "notifier", "notifier"};
    static constexpr auto interchangeable = std::array{1, 2};
    event_count events;
    std::atomic<int> arrived{0};

    void run(int thread) {
        if (thread == 0) {
            events.await([this] { return arrived.load(std::memory_order_relaxed) == 2; });
        } else {
            arrived.fetch_add(1, std::memory_order_relaxed);
            events.notify_one();
        }
    }
};
ORDEAL_SCENARIO("event_count/two_notifiers", two_notifiers);

struct two_waiters {
    static constexpr auto about = "Two threads wait for the same flag: both are woken.";
    static constexpr auto threads = std::array{"notifier", "waiter", "waiter"};
    static constexpr auto interchangeable = std::array{1, 2};
    event_count events;
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            ready.store(true, std::memory_order_relaxed);
            events.notify_all();
        } else {
            events.await([this] { return ready.load(std::memory_order_relaxed); });
        }
    }
};
ORDEAL_SCENARIO("event_count/two_waiters", two_waiters);

}  // namespace
}  // namespace examples
