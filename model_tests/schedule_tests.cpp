// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose violation needs a schedule that Relacy's scheduler, left to itself, does not make, or does not make at
// all: then the verdict names the limit. The graph engine has no scheduler, and finds them.
#include "model_tests/litmus/litmus.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// The thread that is woken first may run before any of the others makes a step; then the other waiter sleeps for ever.
template <class P>
struct woken_thread_goes_first {
    static constexpr auto threads = std::array{"first waiter", "second waiter", "notifier", "idle"};
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> stage{0};
    typename P::template atomic<int> idle_ran{0};

    void run(int thread) {
        if (thread < 2) {
            flag.wait(0, std::memory_order_acquire);
            if (stage.load(std::memory_order_acquire) == 1 && idle_ran.load(std::memory_order_acquire) == 0) return;
            flag.notify_all();
        } else if (thread == 2) {
            flag.store(1, std::memory_order_release);
            flag.notify_one();
            stage.store(1, std::memory_order_release);
            stage.store(2, std::memory_order_release);
        } else {
            idle_ran.store(1, std::memory_order_release);
        }
    }
};

template <class P>
struct yielding_thread_goes_first {
    static constexpr auto threads = std::array{"yielder", "reader"};
    typename P::template atomic<int> x{0};

    void run(int thread) {
        if (thread == 0) {
            P::yield();
            x.store(1, relaxed);
        } else {
            require(x.load(relaxed) == 0, "a yield does not put a thread last");
        }
    }
};

template <class P>
struct two_failing_try_locks {
    static constexpr auto threads = std::array{"only"};
    typename P::mutex mutex;

    void run(int) {
        const bool first = mutex.try_lock();
        if (first) mutex.unlock();
        const bool second = mutex.try_lock();
        if (second) mutex.unlock();
        require(first || second, "a try_lock may fail spuriously more than once");
    }
};

template <class P>
struct fences_without_a_read_between {
    static constexpr auto threads = std::array{"writer", "middle", "reader"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template cell<int> data{0};

    void run(int thread) {
        if (thread == 0) {
            data.write() = 1;
            P::fence(std::memory_order_seq_cst);
            x.store(1, relaxed);
        } else if (thread == 1) {
            if (x.load(relaxed) == 1) y.store(1, relaxed);
        } else if (y.load(relaxed) == 1) {
            P::fence(std::memory_order_seq_cst);
            (void)data.read();
        }
    }
};

}  // namespace

TEST_CASE("A thread that was woken may run before every other thread makes a step") {
    for (const char* engine : {"relacy", "graph"}) {
        CAPTURE(engine);
        const search_result result =
            search(make_scenario<woken_thread_goes_first>("test/woken_thread_goes_first"), {}, engine);
        REQUIRE(result.verdict == verdict::violated);
        CHECK(result.kind == violation_kind::deadlock);
    }
}

TEST_CASE("What Relacy's scheduler leaves out is a limit of the verdict, and is found by the graph engine") {
    const auto limit_of = [](const scenario& what, const char* words, violation_kind kind) {
        const search_result result = search(what, full_search());
        INFO(what.name << ": " << words);
        CHECK(result.verdict == verdict::held_within);
        CHECK(names_limit(result, words));
        const search_result found = search(what, full_search(), "graph");
        REQUIRE(found.kind.has_value());
        CHECK(to_string(*found.kind) == to_string(kind));
    };
    limit_of(make_scenario<yielding_thread_goes_first>("test/yielding_thread_goes_first"), "a thread that yields",
             violation_kind::failed_requirement);
    limit_of(make_scenario<two_failing_try_locks>("test/two_failing_try_locks"), "a try_lock fails spuriously at most",
             violation_kind::failed_requirement);
    limit_of(make_scenario<fences_without_a_read_between>("test/fences_without_a_read_between"), "a seq_cst fence",
             violation_kind::data_race);
}

}  // namespace ordeal::model_tests
