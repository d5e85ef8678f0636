// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, semaphores and futures that are waited for until a time limit.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

enum class on_failure { leaves, goes_on, tries_again };

template <on_failure What>
struct timed_lock {
    static constexpr auto threads = std::array{"in time", "patient"};
    std::timed_mutex mutex;
    int counter = 0;
    bool counted = false;

    void run(int thread) {
        if (thread == 1) {
            const std::lock_guard lock(mutex);
            ++counter;
            return;
        }
        std::unique_lock lock(mutex, 10ms);
        if (What == on_failure::tries_again) {
            while (!lock) (void)lock.try_lock_for(10ms);
        }
        if (What == on_failure::leaves && !lock) return;
        ++counter;
        counted = true;
    }
    void finish() const { require(counter == (counted ? 2 : 1)); }
};

// It holds the mutex itself, in the other function.
struct timed_lock_for_ever {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::timed_mutex mutex;
        const std::lock_guard lock(mutex);
        std::thread([&] {
            while (!mutex.try_lock_for(1ms)) {
            }
            mutex.unlock();
        }).join();
    }
};

// The mutex is free in the end, but it was not to be had in time.
struct timed_lock_must_succeed : timed_lock<on_failure::leaves> {
    void finish() const { require(counter == 2, "there is no hurry"); }
};

struct timed_lock_until_deadline {
    static constexpr auto threads = std::array{"tries", "holds"};
    std::timed_mutex mutex;
    int counter = 0;

    void run(int thread) {
        if (thread == 1) {
            const std::lock_guard lock(mutex);
            ++counter;
            return;
        }
        const auto limit = steady::now() + 2ms;
        while (steady::now() < limit) {
            if (!mutex.try_lock_for(1ms)) continue;
            ++counter;
            mutex.unlock();
            return;
        }
    }
};

struct timed_lock_again {
    static constexpr auto threads = std::array{"nested", "counts"};
    std::recursive_timed_mutex mutex;
    int counter = 0;

    void run(int /*thread*/) {
        if (!mutex.try_lock_until(steady::now() + 1s)) return;
        require(mutex.try_lock_for(1s), "it is this thread's already");
        ++counter;
        mutex.unlock();
        mutex.unlock();
    }
};

template <bool Shared>
struct timed_shared_lock {
    static constexpr auto threads = std::array{"reader", "writer"};
    std::shared_timed_mutex mutex;
    int content = 0;

    void run(int thread) {
        if (thread == 0) {
            const std::shared_lock lock(mutex, 1ms);
            if (lock) require(content % 2 == 0);
        } else if (Shared) {
            const std::shared_lock lock(mutex, 1ms);
            if (lock) content = 2;
        } else {
            const std::unique_lock lock(mutex, 1ms);
            if (lock) content = 2;
        }
    }
};

template <bool Looks>
struct timed_semaphore {
    static constexpr auto threads = std::array{"consumer", "producer"};
    std::binary_semaphore full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 1) {
            data = 42;
            full.release();
        } else if (full.try_acquire_for(1ms) || !Looks) {
            require(data == 42);
        }
    }
};

struct timed_semaphore_polled {
    static constexpr auto threads = std::array{"consumer", "producer"};
    std::counting_semaphore<3> full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 1) {
            data = 42;
            full.release();
            return;
        }
        while (!full.try_acquire_for(1ms)) {
        }
        require(data == 42);
    }
};

enum class future_use { looks, takes_for_granted, polls, polls_until };

template <future_use How>
struct timed_future {
    static constexpr auto threads = std::array{"waiter", "worker"};
    std::promise<int> promise;
    std::future<int> future = promise.get_future();

    void run(int thread) {
        if (thread == 1) return promise.set_value(42);
        switch (How) {
            case future_use::looks:
                if (future.wait_for(1ms) != std::future_status::ready) return;
                break;
            case future_use::takes_for_granted: require(future.wait_for(10s) == std::future_status::ready); break;
            case future_use::polls:
                while (future.wait_for(1ms) != std::future_status::ready) {
                }
                break;
            case future_use::polls_until:
                while (future.wait_until(std::chrono::system_clock::now() + 1ms) != std::future_status::ready) {
                }
                break;
        }
        require(future.get() == 42);
    }
};

struct timed_future_of_nobody {
    static constexpr auto threads = std::array{"waiter"};
    std::promise<int> promise;
    std::future<int> future = promise.get_future();

    void run(int /*thread*/) {
        while (future.wait_for(1ms) != std::future_status::ready) {
        }
    }
};

// Whether it is there already can be asked without waiting.
struct future_asked {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::future<int> future = std::async(std::launch::async, [] { return 42; });
        if (future.wait_for(0s) == std::future_status::ready) require(future.get() == 42);
    }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;
template <class Program>
using races = wrong<Program, violation_kind::data_race>;
template <class Program>
using turns = wrong<Program, violation_kind::livelock>;

// One tries for a lock that the other takes now and then, or keeps.
enum class lock_of_poller { taken_in_turns, kept };

template <bool TriesFirst, lock_of_poller How>
struct tries_beside_polls {
    static constexpr auto threads = std::array{"first", "second"};
    std::mutex mutex;
    std::mutex other;
    std::condition_variable changed;
    bool ready = false;

    void run(int thread) {
        if ((thread == 0) == TriesFirst) {
            while (!mutex.try_lock()) {
            }
            ready = true;
            mutex.unlock();
        } else if (How == lock_of_poller::taken_in_turns) {
            std::unique_lock lock(mutex);
            while (!ready) changed.wait_for(lock, 1s);
        } else {
            const std::lock_guard kept(mutex);
            std::unique_lock lock(other);
            while (!ready) changed.wait_for(lock, 1s);
        }
    }
};

ORDEAL_SCENARIO("programs/timed_lock", timed_lock<on_failure::leaves>);
ORDEAL_SCENARIO("programs/timed_lock_failure_ignored", races<timed_lock<on_failure::goes_on>>);
ORDEAL_SCENARIO("programs/timed_lock_polled", timed_lock<on_failure::tries_again>);
ORDEAL_SCENARIO("programs/timed_lock_polled_for_ever", turns<timed_lock_for_ever>);
ORDEAL_SCENARIO("programs/timed_lock_taken_for_granted", fails<timed_lock_must_succeed>);
ORDEAL_SCENARIO("programs/timed_lock_until_deadline", timed_lock_until_deadline);
ORDEAL_SCENARIO("programs/timed_lock_recursive", timed_lock_again);
ORDEAL_SCENARIO("programs/timed_lock_shared", timed_shared_lock<false>);
ORDEAL_SCENARIO("programs/timed_lock_shared_by_writer", races<timed_shared_lock<true>>);
ORDEAL_SCENARIO("programs/timed_semaphore", timed_semaphore<true>);
ORDEAL_SCENARIO("programs/timed_semaphore_failure_ignored", fails<timed_semaphore<false>>);
ORDEAL_SCENARIO("programs/timed_semaphore_polled", timed_semaphore_polled);
ORDEAL_SCENARIO("programs/timed_future", timed_future<future_use::looks>);
ORDEAL_SCENARIO("programs/timed_future_taken_for_granted", fails<timed_future<future_use::takes_for_granted>>);
ORDEAL_SCENARIO("programs/timed_future_polled", timed_future<future_use::polls>);
ORDEAL_SCENARIO("programs/timed_future_polled_until", timed_future<future_use::polls_until>);
ORDEAL_SCENARIO("programs/timed_future_polled_for_ever", turns<timed_future_of_nobody>);
ORDEAL_SCENARIO("programs/future_asked_without_waiting", future_asked);
ORDEAL_SCENARIO("programs/tries_before_polls", tries_beside_polls<true, lock_of_poller::taken_in_turns>);
ORDEAL_SCENARIO("programs/tries_after_polls", tries_beside_polls<false, lock_of_poller::taken_in_turns>);
ORDEAL_SCENARIO("programs/tries_while_polls_keep_it",
                wrong<tries_beside_polls<true, lock_of_poller::kept>, violation_kind::livelock>);

}  // namespace

}  // namespace ordeal::model_tests
