// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this design, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace examples {
namespace {

// A store of the condition with release and a load of the waiters with acquire do not keep their order: x86-64 has the
// store in its buffer still when it loads. The waiter does its part.
class notifies_without_fence {
public:
    template <class Condition>
    void await(Condition condition) {
        while (!condition()) {
            waiters_.fetch_add(1, std::memory_order_seq_cst);
            std::atomic_thread_fence(std::memory_order_seq_cst);
            const std::uint32_t epoch = epoch_.load(std::memory_order_seq_cst);
            if (!condition()) epoch_.wait(epoch, std::memory_order_seq_cst);
            waiters_.fetch_sub(1, std::memory_order_seq_cst);
        }
    }
    void notify_one() {
        if (waiters_.load(std::memory_order_acquire) == 0) return;
        epoch_.fetch_add(1, std::memory_order_seq_cst);
        epoch_.notify_one();
    }

private:
    std::atomic<std::uint32_t> waiters_{0};
    std::atomic<std::uint32_t> epoch_{0};
};

// The epoch is read when the thread goes to sleep, after the condition: a notification in between is lost.
class reads_the_epoch_late {
public:
    template <class Condition>
    void await(Condition condition) {
        waiters_.fetch_add(1);
        while (!condition()) epoch_.wait(epoch_.load());
        waiters_.fetch_sub(1);
    }
    void notify_one() {
        if (waiters_.load() == 0) return;
        epoch_.fetch_add(1);
        epoch_.notify_one();
    }

private:
    std::atomic<std::uint32_t> waiters_{0};
    std::atomic<std::uint32_t> epoch_{0};
};

template <class Events>
struct one_waiter {
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::deadlock);
    static constexpr auto threads = std::array{"waiter", "notifier"};
    Events events;
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            events.await([this] { return ready.load(std::memory_order_seq_cst); });
        } else {
            ready.store(true, std::memory_order_release);
            events.notify_one();
        }
    }
};

struct no_fence : one_waiter<notifies_without_fence> {
    static constexpr auto about = "No fence between the condition and the look for waiters: the wake-up is lost.";
};
ORDEAL_SCENARIO("event_count_mistakes/no_fence", no_fence);

struct late_epoch : one_waiter<reads_the_epoch_late> {
    static constexpr auto about = "The epoch is read after the condition: the wake-up is lost, with any orders.";
};
ORDEAL_SCENARIO("event_count_mistakes/late_epoch", late_epoch);

}  // namespace
}  // namespace examples
