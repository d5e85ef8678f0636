// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every execution once, and no other run: counts of the lock-free event that other tools, and a prototype, came to as well.
#include "model_tests/graph/graph_search.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <std::size_t Waiters>
constexpr auto waiter_threads() {
    std::array<const char*, Waiters + 1> names{};
    names.fill("waiter");
    names[0] = "setter";
    return names;
}

template <std::size_t Waiters>
struct set_against_waiters {
    template <class P>
    struct test {
        static constexpr auto threads = waiter_threads<Waiters>();
        coro::manual_reset_event<P> event;
        std::array<int, Waiters> passed{};

        void run(int thread) {
            if (thread == 0) {
                event.set();
            } else {
                wait(passed[static_cast<std::size_t>(thread) - 1]);
            }
        }
        detached wait(int& count) {
            co_await event;
            ++count;
        }
        void finish() {
            for (const int count : passed) require(count == 1, "every waiter goes on once");
        }
    };
};

// The same, with the waiters declared to be interchangeable.
template <class P>
struct two_alike : set_against_waiters<2>::test<P> {
    static constexpr auto interchangeable = std::array{1, 2};
};

template <std::size_t Waiters>
scenario set_against() {
    return make_scenario<set_against_waiters<Waiters>::template test>("set against waiters");
}

template <class P>
struct takes_a_mutex_twice {
    static constexpr auto threads = std::array{"locks"};
    typename P::mutex mutex;

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            mutex.lock();
            mutex.unlock();
        }
    }
};

template <class P>
struct exchanges_weakly {
    static constexpr auto threads = std::array{"exchanges"};
    typename P::template atomic<int> value{0};

    void run(int /*thread*/) {
        int expected = 0;
        (void)value.compare_exchange_weak(expected, 1, std::memory_order_relaxed, std::memory_order_relaxed);
    }
};

template <class P>
struct tries_to_lock {
    static constexpr auto threads = std::array{"tries"};
    typename P::mutex mutex;

    void run(int /*thread*/) {
        if (mutex.try_lock()) mutex.unlock();
    }
};

// That many threads which are declared to be interchangeable.
template <template <class> class Scenario>
scenario threads_alike(std::size_t threads) {
    scenario what = detail::describe<Scenario>("threads alike");
    what.threads.assign(threads, "alike");
    for (std::size_t thread = 0; thread < threads; ++thread) what.interchangeable.push_back(static_cast<int>(thread));
    return what;
}

scenario mutex_for(std::size_t threads) {
    scenario what = detail::describe<takes_a_mutex_twice>("takes a mutex twice");
    what.threads.assign(threads, "locks");
    return what;
}

// All executions, and those that are left where redundant retries are not followed.
struct counts {
    std::uint64_t all;
    std::uint64_t cut;
};

void check_count(const scenario& what, counts executions, search_options how = full_search()) {
    CAPTURE(what.threads.size(), how.bounds.spurious);
    const search_result cut = check_held(what, {}, how);
    CHECK(cut.executions == executions.cut);
    CHECK(cut.blocked == 0);
    how.reductions.retries = how.reductions.blocked = false;
    const search_result all = check_held(what, {}, how);
    CHECK(all.executions == executions.all);
    CHECK(all.blocked == 0);
}

void check_count(const scenario& what, std::uint64_t executions, const search_options& how = full_search()) {
    check_count(what, {executions, executions}, how);
}

scenario with_waiters_alike(scenario what) {
    for (std::size_t thread = 1; thread < what.threads.size(); ++thread) {
        what.interchangeable.push_back(static_cast<int>(thread));
    }
    return what;
}

}  // namespace

TEST_CASE("The lock-free event has one execution for each order in which set() can meet its waiters") {
    check_count(set_against<1>(), {4, 4});
    check_count(set_against<2>(), {29, 21});
    check_count(set_against<3>(), {570, 150});
    check_count(set_against<4>(), {32'737, 1'409});
}

TEST_CASE("A thread that has to wait for a mutex makes no execution that stays blocked") {
    search_options how = full_search();
    how.reductions.lock_elision = false;
    check_count(mutex_for(2), 6, how);
    check_count(mutex_for(3), 90, how);
    check_count(mutex_for(4), 2'520, how);
    // With a bound of preemptions it has an event at once.
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = 20;
    const search_result bounded = graph_search(mutex_for(3), how);
    CHECK(bounded.executions == 90);
    CHECK(bounded.blocked > 0);
}

TEST_CASE("A spurious failure that leads back to the same state makes no execution of its own") {
    for (const unsigned spurious : {0U, 1U, 2U}) {
        search_options how = full_search();
        how.bounds.spurious = spurious;
        check_count(set_against<1>(), {4, 4}, how);
        check_count(set_against<2>(), {29, 21}, how);
        check_count(set_against<3>(), {570, 150}, how);
        check_count(set_against<4>(), {32'737, 1'409}, how);
    }
}

TEST_CASE("Of executions that differ by an exchange of interchangeable threads, one is run") {
    check_count(with_waiters_alike(set_against<1>()), {4, 4});
    check_count(with_waiters_alike(set_against<2>()), {16, 12});
    check_count(with_waiters_alike(set_against<3>()), {104, 33});
    check_count(with_waiters_alike(set_against<4>()), {1'425, 88});
}

// Of a compare-exchange one succeeds, and any number of the others see that; or all fail.
TEST_CASE("Interchangeable threads that may fail spuriously have one execution for each number of failures") {
    for (const std::size_t threads : {2U, 3U, 4U}) check_count(threads_alike<exchanges_weakly>(threads), threads + 1);
    // Each may come after as many of the others as succeed. Of 9 executions of two threads, 4 pairs are exchanged ones.
    check_count(threads_alike<tries_to_lock>(2), 5);
    check_count(threads_alike<tries_to_lock>(3), 13);
}

TEST_CASE("A scenario's own list of interchangeable threads is the one that is used") {
    const scenario what = detail::describe<two_alike>("two waiters alike");
    CHECK(what.interchangeable == std::vector{1, 2});
    check_count(what, {16, 12});
}

}  // namespace ordeal::model_tests
