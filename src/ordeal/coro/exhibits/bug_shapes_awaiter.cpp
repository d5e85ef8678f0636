// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Touching an awaiter that is no longer ours: after it was published, and after its coroutine was resumed.
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/exhibits/queue_event.hpp"
#include "ordeal/scenario/scenario.hpp"

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
class touching_event : public queue_event<P, touching_event<P>> {
    using base = queue_event<P, touching_event>;

public:
    class awaiter : public base::awaiter {
    public:
        using base::awaiter::awaiter;
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) noexcept {
            const bool queued = base::awaiter::await_suspend(self);
            suspended_.write() = queued;  // the bug: the setter may have resumed the coroutine, *this may be gone
            return queued;
        }

    private:
        typename P::template cell<bool> suspended_{false};
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }
};

template <atomic_policy P>
class next_after_resume_event : public queue_event<P, next_after_resume_event<P>> {
public:
    void set() noexcept {
        // order: release -> is_set, push: what was written before set(). acquire <- push: the queued waiters.
        void* const old = this->state_.exchange(this, std::memory_order_acq_rel);
        if (old == this) return;
        // The bug: the waiter is in the frame of a coroutine that has been resumed, and its next is read after that.
        for (auto* each = static_cast<queued_waiter<P>*>(old); each != nullptr; each = each->next.read()) {
            typename P::continuation continuation = each->continuation.read();
            continuation.resume();
        }
    }
};

template <atomic_policy P, class Event>
struct set_against_await {
    static constexpr bool exhibit = true;
    static constexpr auto threads = std::array{"setter", "awaiter"};

    Event event;

    void run(int thread) {
        if (thread == 0) {
            event.set();
        } else {
            consume();
        }
    }
    detached consume() { co_await event; }
};

template <atomic_policy P>
struct touch_after_publish : set_against_await<P, touching_event<P>> {
    static constexpr auto subject = "bug_touch_after_publish";
    static constexpr auto about = "await_suspend writes a member of the awaiter after it has queued it.";
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
};

ORDEAL_SCENARIO("exhibit/bug_touch_after_publish/set_against_await", touch_after_publish);

template <atomic_policy P>
struct next_after_resume : set_against_await<P, next_after_resume_event<P>> {
    static constexpr auto subject = "bug_next_after_resume";
    static constexpr auto about = "The setter reads a waiter's next after it has resumed the waiter.";
    static constexpr auto expected = violated(violation_kind::use_after_free);
};

ORDEAL_SCENARIO("exhibit/bug_next_after_resume/set_against_await", next_after_resume);

}  // namespace

}  // namespace ordeal::exhibits
