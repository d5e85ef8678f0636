// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Correct algorithms with one order too weak.
#include "ordeal/coro/exhibits/printed_task.hpp"
#include "ordeal/coro/exhibits/queue_event.hpp"
#include "ordeal/coro/exhibits/task_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
class relaxed_failure_event : public queue_event<P, relaxed_failure_event<P>> {
public:
    bool push(queued_waiter<P>& newest) noexcept {
        // order: acquire <- set: as is_set, when the event has been set since.
        void* seen = this->state_.load(std::memory_order_acquire);
        do {
            if (seen == this) return false;
            newest.next.write() = static_cast<queued_waiter<P>*>(seen);
            // order: (success) release -> set: the waiter and the suspended frame.
            // order: (failure) relaxed. Too weak: the value seen may say that the event is set.
        } while (
            !this->state_.compare_exchange_weak(seen, &newest, std::memory_order_release, std::memory_order_relaxed));
        return true;
    }
};

template <atomic_policy P>
struct relaxed_push_failure {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "bug_relaxed_push_failure";
    static constexpr auto about = "A push that fails because the event was set acquires nothing from set().";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = violated(violation_kind::data_race);

    relaxed_failure_event<P> event;
    typename P::template cell<int> payload{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await event;
        seen = payload.read();
    }
    void finish() { require(seen == 42); }
};

ORDEAL_SCENARIO("exhibit/bug_relaxed_push_failure/payload", relaxed_push_failure);

// The frame of the awaiting coroutine is resumed without being ordered after its suspension.
template <atomic_policy P>
struct complete_without_acquire : complete_against_await<P, printed_task<P, complete_without_acquire_word<P>>> {
    static constexpr auto subject = "bug_complete_without_acquire";
    static constexpr auto expected = violated(violation_kind::data_race);
};

ORDEAL_SCENARIO("exhibit/bug_complete_without_acquire/complete_against_await", complete_without_acquire);

// The result is read without being ordered after it was written.
template <atomic_policy P>
struct complete_without_release : complete_against_await<P, printed_task<P, complete_without_release_word<P>>> {
    static constexpr auto subject = "bug_complete_without_release";
    static constexpr auto expected = violated(violation_kind::data_race);
};

ORDEAL_SCENARIO("exhibit/bug_complete_without_release/complete_against_await", complete_without_release);

}  // namespace

}  // namespace ordeal::exhibits
