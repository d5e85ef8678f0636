// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits on condition variables that end at a time limit, which may come at any moment; and wake-ups that come between two
// steps of the thread that is waited for.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace ordeal::model_tests {

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

/// One thread sets a flag, and another one waits for it.
struct flag_is_set {
    static constexpr auto threads = std::array{"waiter", "setter"};
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;
    int payload = 0;

    void make_true() {
        {
            const std::lock_guard lock(mutex);
            payload = 42;
            set = true;
        }
        changed.notify_one();
    }
};

enum class polls { right, for_ever, unlocked };

// Looks now and then. Nobody need notify.
template <polls How>
struct polling_loop : flag_is_set {
    void run(int thread) {
        if (thread == 1) {
            if (How == polls::for_ever) return;
            std::unique_lock lock(mutex);
            if (How == polls::unlocked) lock.unlock();
            payload = 42;
            set = true;
        } else {
            std::unique_lock lock(mutex);
            while (!set) changed.wait_for(lock, 100ms);
            require(payload == 42);
        }
    }
};

struct polling_loop_notified : flag_is_set {
    void run(int thread) {
        if (thread == 1) return make_true();
        std::unique_lock lock(mutex);
        while (!set) changed.wait_for(lock, 100ms);
        require(payload == 42);
    }
};

// Each takes the mutex in turn, for a look that comes to nothing.
template <bool Sets>
struct two_polling_loops : flag_is_set {
    static constexpr auto threads = std::array{"waiter", "setter", "waiter"};

    void run(int thread) {
        if (thread == 1) {
            if (Sets) make_true();
            return;
        }
        std::unique_lock lock(mutex);
        while (!set) changed.wait_for(lock, 100ms);
    }
};

// The caller computes the limit of each iteration.
struct polling_loop_until : flag_is_set {
    void run(int thread) {
        if (thread == 1) return make_true();
        std::unique_lock lock(mutex);
        while (!set) changed.wait_until(lock, steady::now() + 10ms);
    }
};

template <bool Looks>
struct waits_once : flag_is_set {
    void run(int thread) {
        if (thread == 1) return make_true();
        std::unique_lock lock(mutex);
        if (!Looks) {
            if (!set) changed.wait_for(lock, 1s);
            require(payload == 42, "the limit may have come");
        } else if (changed.wait_for(lock, 1s, [this] { return set; })) {
            require(payload == 42);
        } else {
            require(payload == 0);
        }
    }
};

// The loop comes back to where it was, but for the time; and what the time is compared with is in memory, or is no number
// that could be told to be a time.
enum class deadline { in_object, as_floating_point, by_time };

template <deadline Where, bool Expects_it>
struct polling_loop_with_deadline : flag_is_set {
    steady::time_point limit;

    void run(int thread) {
        if (thread == 1) {
            if (Expects_it) make_true();
            return;
        }
        std::unique_lock lock(mutex);
        limit = steady::now() + 2500ms;
        const double as_number = seconds() + 2.5;
        const time_t as_time = time(nullptr) + 2;
        while (!set) {
            const bool late = Where == deadline::in_object           ? steady::now() > limit
                              : Where == deadline::as_floating_point ? seconds() > as_number
                                                                     : time(nullptr) > as_time;
            require(!late || Expects_it, "three iterations are enough");
            if (late) return;
            changed.wait_for(lock, 10ms);
        }
    }

private:
    static double seconds() { return std::chrono::duration<double>(steady::now().time_since_epoch()).count(); }
};

// A limit that has passed is seen to have passed, on the clock too.
struct waits_until_deadline : flag_is_set {
    void run(int thread) {
        if (thread == 1) return make_true();
        std::unique_lock lock(mutex);
        const auto limit = steady::now() + 20ms;
        while (!set && steady::now() < limit) changed.wait_until(lock, limit);
        require(set || steady::now() >= limit);
    }
};

// Clocks are steady for all threads together, as far as happens-before goes.
struct time_goes_on_for_others {
    static constexpr auto threads = std::array{"sleeps", "looks", "looks again"};
    std::atomic<int> looks{0};
    steady::time_point seen;

    void run(int thread) {
        if (thread == 0) {
            std::this_thread::sleep_for(20ms);
            seen = steady::now();
            looks.store(1, release);
            for (int i = 2; i < 40; i *= 2) std::this_thread::sleep_for(20ms * i);
        } else if (looks.load(acquire) == thread) {
            require(steady::now() >= seen);
            seen = steady::now();
            looks.store(2, release);
        }
    }
    void finish() const { require(steady::now() >= seen); }
};

// Nobody sets the flag, but there is an end to the waiting.
template <bool Gives_up>
struct nobody_comes : flag_is_set {
    void run(int thread) {
        if (thread == 1) return;
        std::unique_lock lock(mutex);
        const auto limit = steady::now() + 20ms;
        while (!set) {
            const auto how = changed.wait_until(lock, limit);
            if (Gives_up && how == std::cv_status::timeout) break;
        }
    }
};

template <bool Timed>
struct limit_that_never_comes : flag_is_set {
    void run(int thread) {
        if (thread == 1) return;
        std::unique_lock lock(mutex);
        const auto limit = Timed ? std::chrono::system_clock::now() + 1s : std::chrono::system_clock::time_point::max();
        changed.wait_until(lock, limit, [this] { return set; });
    }
};

// A notification that comes with the limit is used up all the same: nobody else gets it.
template <bool Passes_it_on>
struct notification_is_lost {
    static constexpr auto threads = std::array{"impatient", "patient", "producer"};
    std::mutex mutex;
    std::condition_variable filled;
    int items = 0;

    void run(int thread) {
        if (thread == 2) {
            const std::lock_guard lock(mutex);
            ++items;
            filled.notify_one();
        } else if (thread == 1) {
            std::unique_lock lock(mutex);
            while (items == 0) filled.wait(lock);
            --items;
        } else {
            std::unique_lock lock(mutex);
            const bool late = items == 0 && filled.wait_for(lock, 1s) == std::cv_status::timeout;
            if (!late || Passes_it_on) filled.notify_one();
        }
    }
};

struct timed_queue {
    static constexpr auto threads = std::array{"producer", "consumer"};
    std::mutex mutex;
    std::condition_variable filled;
    std::deque<int> items;
    int taken = 0;

    void run(int thread) {
        if (thread == 0) {
            const std::lock_guard lock(mutex);
            items.push_back(7);
            filled.notify_one();
        } else {
            std::unique_lock lock(mutex);
            if (!filled.wait_for(lock, 5ms, [this] { return !items.empty(); })) return;
            taken = items.front();
            items.pop_front();
        }
    }
    void finish() const { require(taken == (items.empty() ? 7 : 0)); }
};

// The same, believing what the wait returned.
struct timed_queue_believes : timed_queue {
    void run(int thread) {
        if (thread == 0) return timed_queue::run(thread);
        std::unique_lock lock(mutex);
        if (items.empty() && filled.wait_for(lock, 5ms) == std::cv_status::timeout) {
            require(items.empty(), "an item may have come with the limit");
        }
    }
    void finish() const {}
};

// As C has it.
template <clockid_t Clock>
struct posix_timed_wait {
    static constexpr auto threads = std::array{"waiter", "setter"};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    bool set = false;

    void run(int thread) {
        pthread_mutex_lock(&mutex);
        if (thread == 1) {
            set = true;
            pthread_cond_signal(&changed);
        } else {
            timespec limit{};
            clock_gettime(Clock, &limit);
            limit.tv_nsec += 500'000'000;
            if (limit.tv_nsec >= 1'000'000'000) {
                limit.tv_nsec -= 1'000'000'000;
                ++limit.tv_sec;
            }
            int result = 0;
            while (!set && result == 0) result = pthread_cond_clockwait(&changed, &mutex, Clock, &limit);
            require(set || result == ETIMEDOUT);
        }
        pthread_mutex_unlock(&mutex);
    }
};

// A waiter may wake between the two steps, though nobody notifies it there.
template <bool In_one_step>
struct woken_between {
    static constexpr auto threads = std::array{"waiter", "setter"};
    std::mutex mutex;
    std::condition_variable changed;
    bool waiting = false;
    int first = 0;
    int second = 0;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 0) {
            waiting = true;
            while (first == 0) changed.wait(lock);
            require(second == first);
            return;
        }
        first = 1;
        if (!waiting) {
            second = 1;
            return;
        }
        if (!In_one_step) {
            lock.unlock();
            lock.lock();
        }
        second = 1;
        changed.notify_one();
    }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/time_goes_on_for_others", time_goes_on_for_others);
ORDEAL_SCENARIO("programs/timed_polling", polling_loop<polls::right>);
ORDEAL_SCENARIO("programs/timed_polling_for_ever", wrong<polling_loop<polls::for_ever>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/timed_polling_unlocked", wrong<polling_loop<polls::unlocked>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/timed_polling_notified", polling_loop_notified);
ORDEAL_SCENARIO("programs/timed_polling_by_two", two_polling_loops<true>);
ORDEAL_SCENARIO("programs/timed_polling_by_two_for_ever", wrong<two_polling_loops<false>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/timed_polling_until", polling_loop_until);
ORDEAL_SCENARIO("programs/timed_polling_until_deadline", polling_loop_with_deadline<deadline::in_object, true>);
ORDEAL_SCENARIO("programs/timed_polling_deadline_in_object",
                fails<polling_loop_with_deadline<deadline::in_object, false>>);
ORDEAL_SCENARIO("programs/timed_polling_deadline_as_floating_point",
                fails<polling_loop_with_deadline<deadline::as_floating_point, false>>);
ORDEAL_SCENARIO("programs/timed_polling_deadline_by_time", fails<polling_loop_with_deadline<deadline::by_time, false>>);
ORDEAL_SCENARIO("programs/timed_wait", waits_once<true>);
ORDEAL_SCENARIO("programs/timed_wait_result_ignored", fails<waits_once<false>>);
ORDEAL_SCENARIO("programs/timed_wait_until_deadline", waits_until_deadline);
ORDEAL_SCENARIO("programs/timed_wait_gives_up", met<nobody_comes<true>>);
ORDEAL_SCENARIO("programs/timed_wait_never_gives_up", wrong<nobody_comes<false>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/timed_wait_that_ends", met<limit_that_never_comes<true>>);
ORDEAL_SCENARIO("programs/timed_wait_for_ever", wrong<limit_that_never_comes<false>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/timed_wait_passes_notification_on", notification_is_lost<true>);
ORDEAL_SCENARIO("programs/timed_wait_loses_notification", wrong<notification_is_lost<false>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/timed_queue", timed_queue);
ORDEAL_SCENARIO("programs/timed_queue_believes_timeout", fails<timed_queue_believes>);
ORDEAL_SCENARIO("programs/timed_wait_of_c", posix_timed_wait<CLOCK_MONOTONIC>);
ORDEAL_SCENARIO("programs/timed_wait_of_c_calendar", posix_timed_wait<CLOCK_REALTIME>);
ORDEAL_SCENARIO("programs/woken_between_two_steps", fails<woken_between<false>>);
ORDEAL_SCENARIO("programs/woken_after_one_step", woken_between<true>);

}  // namespace

}  // namespace ordeal::model_tests
