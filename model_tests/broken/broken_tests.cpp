// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of the primitives with one realistic bug each, in the programs that the production code holds in, and each
// engine's verdict on both.
#include "model_tests/broken/awaitable_event.hpp"
#include "model_tests/broken/manual_reset_event.hpp"
#include "model_tests/broken/sync_wait.hpp"
#include "model_tests/broken/task.hpp"
#include "model_tests/support/same_trace.hpp"
#include "model_tests/support/search.hpp"

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <template <class> class Event>
struct event_program {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"setter", "waiter"};
        Event<P> event;
        typename P::template cell<int> payload{0};
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                payload.write() = 42;
                event.set();
            } else {
                wait();
            }
        }
        detached wait() {
            co_await event;
            seen = payload.read();
        }
        void finish() { require(seen == 42, "the waiter goes on"); }
    };
};

template <template <class> class Task>
struct task_program {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"awaiter", "coroutine"};
        production::gate<P> begin;
        Task<P> work = make();
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                await();
            } else {
                begin.open();
            }
        }
        Task<P> make() {
            co_await begin;
            co_return 42;
        }
        detached await() { seen = co_await std::move(work); }
        void finish() { require(seen == 42, "the awaiting coroutine goes on"); }
    };
};

template <template <class> class Signal>
struct signal_program {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"blocked", "completing"};
        Signal<P>* signal = new Signal<P>;
        typename P::template cell<int> result{0};
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                signal->wait();
                delete signal;
                seen = result.read();
            } else {
                result.write() = 42;
                signal->notify();
            }
        }
        void finish() { require(seen == 42, "the blocked thread has the result"); }
    };
};

template <class P>
using production_task = coro::task<int, P>;

void check_with(std::string_view engine, verdict when_right, const scenario& correct, const scenario& broken,
                violation_kind kind) {
    CAPTURE(engine);
    const search_result right = search(correct, {}, engine);
    CAPTURE(right.message);
    CHECK(right.verdict == when_right);
    CHECK(right.complete);

    const search_result wrong = search(broken, {}, engine);
    CAPTURE(wrong.message, wrong.executions);
    REQUIRE(wrong.verdict == verdict::violated);
    CHECK(to_string(*wrong.kind) == to_string(kind));

    REQUIRE(wrong.replay.has_value());
    search_options how;
    how.replay = wrong.replay;
    const search_result again = search(broken, how, engine);
    CHECK(again.kind == wrong.kind);
    CHECK(same_trace(again.trace, wrong.trace));
}

void check(const scenario& correct, const scenario& broken, violation_kind kind) {
    check_with("relacy", verdict::held_within, correct, broken, kind);
    check_with("graph", verdict::held, correct, broken, kind);
}

}  // namespace

TEST_CASE("An event that reads `next` after it has resumed the waiter is found out") {
    check(make_scenario<event_program<coro::manual_reset_event>::test>("event"),
          make_scenario<event_program<broken::manual_reset_event>::test>("broken event"),
          violation_kind::use_after_free);
}

TEST_CASE("An event that does not look again under the lock is found out") {
    check(make_scenario<event_program<coro::awaitable_event>::test>("shared event"),
          make_scenario<event_program<broken::awaitable_event>::test>("broken shared event"),
          violation_kind::failed_requirement);
}

TEST_CASE("A task that frees its frame on the wrong transition is found out") {
    check(make_scenario<task_program<production_task>::test>("task"),
          make_scenario<task_program<broken::task>::test>("broken task"), violation_kind::unsynchronised_destruction);
}

TEST_CASE("A signal that is notified after it was published is found out") {
    check(make_scenario<signal_program<coro::detail::completion_signal>::test>("signal"),
          make_scenario<signal_program<broken::completion_signal>::test>("broken signal"),
          violation_kind::notification_after_destruction);
}

}  // namespace ordeal::model_tests
