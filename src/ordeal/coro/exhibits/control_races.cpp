// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program for each kind of violation: an engine that does not report one of these is not looking. Here
// those that need two threads.
#include "ordeal/scenario/scenario.hpp"

#include <mutex>

namespace ordeal::exhibits {

namespace {

struct two_threads {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "control";
    static constexpr auto threads = std::array{"first", "second"};
};

template <atomic_policy P>
struct control_data_race : two_threads {
    static constexpr auto about = "Two threads write one cell.";
    static constexpr auto expected = violated(violation_kind::data_race);

    typename P::template cell<int> value{0};

    void run(int thread) { value.write() = thread; }
};

ORDEAL_SCENARIO("exhibit/control/data_race", control_data_race);

template <atomic_policy P>
struct control_unsynchronised_destruction : two_threads {
    using number = typename P::template atomic<int>;

    static constexpr auto about = "One thread deletes an atomic that the other uses.";
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);

    number* const object = new number(0);

    void run(int thread) {
        if (thread == 0) {
            // order: relaxed: nothing orders it against the destruction.
            object->store(1, std::memory_order_relaxed);
        } else {
            delete object;
        }
    }
};

ORDEAL_SCENARIO("exhibit/control/unsynchronised_destruction", control_unsynchronised_destruction);

template <atomic_policy P>
struct control_notification_after_destruction : two_threads {
    using flag = typename P::template atomic<bool>;

    static constexpr auto about = "An atomic is notified that its waiter may have deleted.";
    static constexpr auto expected = violated(violation_kind::notification_after_destruction);

    flag* const raised = new flag(false);

    void run(int thread) {
        if (thread == 0) {
            // order: release -> wait: the store, before what deletes the atomic.
            raised->store(true, std::memory_order_release);
            raised->notify_one();
        } else {
            // order: acquire <- store.
            raised->wait(false, std::memory_order_acquire);
            delete raised;
        }
    }
};

ORDEAL_SCENARIO("exhibit/control/notification_after_destruction", control_notification_after_destruction);

template <atomic_policy P>
struct control_failed_requirement : two_threads {
    static constexpr auto about = "A requirement that one of two interleavings breaks.";
    static constexpr auto expected = violated(violation_kind::failed_requirement);

    typename P::template atomic<int> value{0};

    void run(int thread) {
        if (thread == 0) {
            // order: relaxed: only the value matters.
            value.store(1, std::memory_order_relaxed);
        } else {
            // order: relaxed: only the value matters.
            require(value.load(std::memory_order_relaxed) == 0, "the other thread has not begun");
        }
    }
};

ORDEAL_SCENARIO("exhibit/control/failed_requirement", control_failed_requirement);

template <atomic_policy P>
struct control_deadlock : two_threads {
    static constexpr auto about = "Two threads lock two mutexes in opposite order.";
    static constexpr auto expected = violated(violation_kind::deadlock);

    typename P::mutex left;
    typename P::mutex right;

    void run(int thread) {
        const std::lock_guard outer(thread == 0 ? left : right);
        const std::lock_guard inner(thread == 0 ? right : left);
    }
};

ORDEAL_SCENARIO("exhibit/control/deadlock", control_deadlock);

}  // namespace

}  // namespace ordeal::exhibits
