// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the threads of a program meet: whether two of them touch one object, and not only because one creates or joins the other.
// meeting_tests.cpp has what comes of each.
#include "model_tests/plain/programs/programs.hpp"

#include <semaphore.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

struct each_its_own {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> one{0};
        std::atomic<int> two{0};
        std::thread other([&] { one.store(1); });
        two.store(1);
        other.join();
    }
};

// Neighbours in memory are not one object, and need no synchronisation.
struct neighbours {
    static constexpr auto threads = std::array{"left", "right"};
    std::array<char, 2> own{};

    void run(int thread) { own.at(static_cast<std::size_t>(thread)) = 1; }
    void finish() const { require(own[0] + own[1] == 2); }
};

// A question by creation, an answer by the end.
struct asked_and_joined {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> question{0};
        question.store(6, relaxed);
        int answer = 0;
        std::thread other([&] { answer = 7 * question.load(relaxed); });
        other.join();
        require(answer == 42);
    }
};

struct asked_plainly {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        volatile int question = 6;
        int answer = 0;
        std::thread other([&] { answer = 7 * question; });
        other.join();
        require(answer == 42);
    }
};

// Its creator is at work meanwhile.
struct asked_and_joined_beside_own {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> question{6};
        std::atomic<int> own{0};
        int answer = 0;
        std::thread other([&] { answer = 7 * question.load(relaxed); });
        own.store(1);
        other.join();
        require(answer == 42 && question.load(relaxed) == 6);
    }
};

// The library counts its stop states, and locks the state of a future: neither is meant to order the program's threads.
struct asked_of_a_jthread {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        volatile int question = 6;
        int answer = 0;
        {
            const std::jthread other([&] { answer = 7 * question; });
        }
        require(answer == 42);
    }
};

struct asked_of_a_future {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        volatile int question = 6;
        require(std::async(std::launch::async, [&] { return 7 * question; }).get() == 42);
    }
};

struct beside_an_empty_thread {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> own{1};
        std::thread([] {}).join();
        require(own.load(relaxed) == 1);
    }
};

struct one_after_the_other {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> count{0};
        for (int i = 0; i < 3; ++i) std::thread([&] { count.fetch_add(1, relaxed); }).join();
        require(count.load(relaxed) == 3);
    }
};

struct by_an_atomic {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> one{0};
        std::thread other([&] { one.store(1, relaxed); });
        one.store(1, relaxed);
        other.join();
    }
};

struct by_atomic_loads {
    static constexpr auto threads = std::array{"left", "right"};
    std::atomic<int> value{7};

    void run(int /*thread*/) const { require(value.load(relaxed) == 7); }
};

// What its creator reads after the creation is not handed over by it.
struct by_plain_reads {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        volatile int table = 7;
        std::thread other([&] { require(table == 7); });
        require(table == 7);
        other.join();
    }
};

// The two that were created, and neither of them the one that created them.
struct by_plain_reads_of_siblings {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        volatile int table = 7;
        const auto reads = [&] { require(table == 7); };
        std::thread left(reads);
        std::thread right(reads);
        left.join();
        right.join();
    }
};

// What each of them does with a lock of its own meets nobody.
struct by_plain_reads_beside_locks {
    static constexpr auto threads = std::array{"left", "right"};
    int table = 7;
    std::array<std::mutex, 2> own;

    void run(int thread) {
        const std::lock_guard<std::mutex> locked(own.at(static_cast<std::size_t>(thread)));
        require(table == 7);
    }
};

struct by_a_lock {
    static constexpr auto threads = std::array{"left", "right"};
    std::mutex mutex;

    void run(int /*thread*/) { const std::lock_guard locked(mutex); }
};

struct by_a_notification {
    static constexpr auto threads = std::array{"left", "right"};
    std::condition_variable changed;

    void run(int /*thread*/) { changed.notify_one(); }
};

struct by_a_semaphore {
    static constexpr auto threads = std::array{"waits", "posts"};
    sem_t semaphore{};

    by_a_semaphore() { require(::sem_init(&semaphore, 0, 0) == 0); }
    ~by_a_semaphore() { require(::sem_destroy(&semaphore) == 0); }
    void run(int thread) { require((thread == 0 ? ::sem_wait(&semaphore) : ::sem_post(&semaphore)) == 0); }
};

// In those executions alone in which a weak compare-exchange fails spuriously.
struct in_some_executions {
    static constexpr auto threads = std::array{"left", "right"};
    std::array<std::atomic<int>, 2> own{};
    volatile int table = 7;

    void run(int thread) {
        int expected = 0;
        const bool done = own.at(static_cast<std::size_t>(thread)).compare_exchange_weak(expected, 1, relaxed);
        if (thread == 1 || !done) require(table == 7);
    }
};

struct has_one_thread {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> one{0};
        one.store(1, relaxed);
        require(one.load(relaxed) == 1);
    }
};

// What ::lgamma_r touches besides is not known.
struct own_and_unseen {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> one{0};
        int sign = 0;
        volatile double given = 8;
        std::thread other([&] { one.store(1, relaxed); });
        require(::lgamma_r(given, &sign) > 0);
        other.join();
    }
};

struct own_and_wrong {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> one{0};
        std::thread other([&] { one.store(1, relaxed); });
        other.join();
        require(one.load(relaxed) == 2);
    }
};

ORDEAL_SCENARIO("meetings/each_its_own", each_its_own);
ORDEAL_SCENARIO("meetings/neighbours", neighbours);
ORDEAL_SCENARIO("meetings/asked_and_joined", asked_and_joined);
ORDEAL_SCENARIO("meetings/asked_plainly", asked_plainly);
ORDEAL_SCENARIO("meetings/asked_of_a_jthread", asked_of_a_jthread);
ORDEAL_SCENARIO("meetings/asked_of_a_future", asked_of_a_future);
ORDEAL_SCENARIO("meetings/asked_and_joined_beside_own", asked_and_joined_beside_own);
ORDEAL_SCENARIO("meetings/beside_an_empty_thread", beside_an_empty_thread);
ORDEAL_SCENARIO("meetings/one_after_the_other", one_after_the_other);
ORDEAL_SCENARIO("meetings/by_an_atomic", by_an_atomic);
ORDEAL_SCENARIO("meetings/by_atomic_loads", by_atomic_loads);
ORDEAL_SCENARIO("meetings/by_plain_reads", by_plain_reads);
ORDEAL_SCENARIO("meetings/by_plain_reads_of_siblings", by_plain_reads_of_siblings);
ORDEAL_SCENARIO("meetings/by_plain_reads_beside_locks", by_plain_reads_beside_locks);
ORDEAL_SCENARIO("meetings/by_a_lock", by_a_lock);
ORDEAL_SCENARIO("meetings/by_a_notification", by_a_notification);
ORDEAL_SCENARIO("meetings/by_a_semaphore", by_a_semaphore);
ORDEAL_SCENARIO("meetings/in_some_executions", in_some_executions);
ORDEAL_SCENARIO("meetings/has_one_thread", has_one_thread);
ORDEAL_SCENARIO("meetings/own_and_unseen", own_and_unseen);
ORDEAL_SCENARIO("meetings/own_and_wrong", wrong<own_and_wrong, violation_kind::failed_requirement>);

}  // namespace

}  // namespace ordeal::model_tests
