// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting and waking by the system call futex, as libraries that make their own locks do it.
#include "model_tests/plain/programs/programs.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <string>

namespace ordeal::model_tests {

namespace {

long futex_wait(std::atomic<int>& word, int expected, const timespec* limit = nullptr) {
    return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, limit, nullptr, 0);
}
long futex_wake(std::atomic<int>& word, int count) {
    return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

enum class posts { right, wakes_first, wakes_once };

// A post that wakes before it adds is lost to one that begins to sleep in between; two posts and one wake are too few.
template <posts How>
struct futex_semaphore {
    static constexpr auto threads = std::array{"posts", "acquires", "acquires"};
    std::atomic<int> permits{0};

    void run(int thread) {
        if (thread != 0) return acquire_one();
        post(How != posts::wakes_once);
        post(true);
    }

private:
    void post(bool wakes) {
        if (How == posts::wakes_first) futex_wake(permits, 1);
        permits.fetch_add(1);
        if (How != posts::wakes_first && wakes) futex_wake(permits, 1);
    }
    void acquire_one() {
        for (;;) {
            int seen = permits.load();
            if (seen == 0) {
                futex_wait(permits, 0);
            } else if (permits.compare_exchange_strong(seen, seen - 1)) {
                return;
            }
        }
    }
};

// The last store is followed by a wake, and the kernel compares with that.
template <int Last>
struct futex_one_waiter {
    static constexpr auto threads = std::array{"stores", "waits"};
    std::atomic<int> word{0};

    void run(int thread) {
        if (thread == 0) {
            word.store(1, relaxed);
            if (Last == 2) futex_wake(word, 1);
            word.store(2, relaxed);
            if (Last == 1) futex_wake(word, 1);
        } else {
            while (word.load(relaxed) == 0) futex_wait(word, 0);
            while (word.load(relaxed) != 2) futex_wait(word, 1);
        }
    }
};

enum class mutex_unlocks { right, without_a_wake, as_if_alone };

// Ulrich Drepper, "Futexes are tricky": 0 unlocked, 1 locked, 2 locked and perhaps waited for.
template <mutex_unlocks How, class Threads>
struct futex_mutex {
    static constexpr auto threads = Threads::names;
    std::atomic<int> state{0};
    int count = 0;

    void run(int /*thread*/) {
        lock();
        ++count;
        unlock();
    }
    void finish() const { require(count == static_cast<int>(threads.size())); }

private:
    void lock() {
        int seen = 0;
        if (state.compare_exchange_strong(seen, 1, acquire, relaxed)) return;
        // One that was woken does not know whether others wait, and must not say that nobody does.
        const int taken = How == mutex_unlocks::as_if_alone ? 1 : 2;
        if (How == mutex_unlocks::as_if_alone) {
            do {
                int locked = 1;
                if (seen == 2 || state.compare_exchange_strong(locked, 2, relaxed) || locked == 2) {
                    futex_wait(state, 2);
                }
                seen = 0;
            } while (!state.compare_exchange_strong(seen, taken, acquire, relaxed));
        } else {
            if (seen != 2) seen = state.exchange(taken, acquire);
            while (seen != 0) {
                futex_wait(state, 2);
                seen = state.exchange(taken, acquire);
            }
        }
    }
    void unlock() {
        if (state.exchange(0, release) == 2 && How != mutex_unlocks::without_a_wake) futex_wake(state, 1);
    }
};
struct two {
    static constexpr auto names = std::array{"locks", "locks"};
};
struct three {
    static constexpr auto names = std::array{"locks", "locks", "locks"};
};

enum class counts_waiters { right, looks_first, relaxed_look };

// Wakes only if somebody waits. The barrier before the comparison of the kernel is a part of it.
template <counts_waiters How>
struct futex_wake_if_waited_for {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::atomic<int> word{0};
    std::atomic<int> waiters{0};

    void run(int thread) {
        if (thread == 0) {
            const bool waited_for = How == counts_waiters::looks_first && waiters.load() != 0;
            word.store(1, How == counts_waiters::relaxed_look ? release : seq_cst);
            const bool now = waiters.load(How == counts_waiters::relaxed_look ? relaxed : seq_cst) != 0;
            if (How == counts_waiters::looks_first ? waited_for : now) futex_wake(word, 1);
        } else {
            waiters.fetch_add(1);
            while (word.load(acquire) == 0) futex_wait(word, 0);
            waiters.fetch_sub(1);
        }
    }
};

// A wake ends a wait whether the word has changed or not; it may also end spuriously.
template <bool SleepsAgain>
struct futex_wake_without_a_store {
    static constexpr auto threads = std::array{"wakes", "sleeps"};
    std::atomic<int> word{0};
    std::atomic<bool> awake{false};
    long result = -2;

    void run(int thread) {
        if (thread == 0) {
            while (futex_wake(word, 1) == 0 && !awake.load(relaxed)) sched_yield();
        } else {
            result = futex_wait(word, 0);
            if (SleepsAgain) futex_wait(word, 0);
            awake.store(true, relaxed);
        }
    }
    void finish() const { require(result == 0); }
};

// Nobody has woken it, and yet it goes on.
struct futex_ends_without_a_wake {
    static constexpr auto threads = std::array{"wakes", "sleeps"};
    std::atomic<int> word{0};
    std::atomic<bool> awake{false};
    long woken = 0;

    void run(int thread) {
        if (thread == 0) {
            while ((woken = futex_wake(word, 1)) == 0 && !awake.load(relaxed)) sched_yield();
        } else {
            futex_wait(word, 0);
            awake.store(true, relaxed);
        }
    }
    void finish() const { require(woken == 1); }
};

// Who comes too late for the store is told so.
struct futex_says_why {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::atomic<int> word{0};
    std::string said = "nothing";

    void run(int thread) {
        if (thread == 0) {
            word.store(1, relaxed);
            futex_wake(word, 1);
        } else {
            const long result = futex_wait(word, 0);
            said = result == 0 ? "woken" : errno == EAGAIN ? "EAGAIN" : "another error";
        }
    }
    [[nodiscard]] std::string outcome() const { return said; }
};

// Wakes so many, of three that sleep; and counts them.
template <int Count>
struct futex_wakes_some {
    static constexpr auto threads = std::array{"wakes", "sleeps", "sleeps", "sleeps"};
    std::atomic<int> word{0};

    void run(int thread) {
        if (thread == 0) {
            word.store(1, release);
            require(futex_wake(word, Count) <= Count);
        } else {
            while (word.load(acquire) == 0) futex_wait(word, 0);
        }
    }
};

constexpr timespec some_time{0, 1'000'000};

// Looks now and then; nobody need wake it.
struct futex_polling {
    static constexpr auto threads = std::array{"sets", "polls"};
    std::atomic<int> word{0};

    void run(int thread) {
        if (thread == 0) return word.store(1, release);
        while (word.load(acquire) == 0) futex_wait(word, 0, &some_time);
    }
};

// One of two that sleep is woken. Where that is the one with a limit, which goes home, nobody wakes the other.
template <bool Passes>
struct futex_wake_taken_by_a_timed_wait {
    static constexpr auto threads = std::array{"sets", "waits", "waits for a time"};
    std::atomic<int> word{0};

    void run(int thread) {
        if (thread == 0) {
            word.store(1, release);
            futex_wake(word, 1);
        } else if (thread == 1) {
            while (word.load(acquire) == 0) futex_wait(word, 0);
        } else if (futex_wait(word, 0, &some_time) == 0 && Passes) {
            futex_wake(word, 1);
        }
    }
};

// The system call orders nothing for the program.
struct futex_hands_over {
    static constexpr auto threads = std::array{"writes", "reads"};
    std::atomic<int> word{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            word.store(1, relaxed);
            futex_wake(word, 1);
        } else {
            while (word.load(relaxed) == 0) futex_wait(word, 0);
            require(data == 42);
        }
    }
};

// "Callers should always conservatively assume that a return value of 0 can mean a spurious wake-up" (man 2 futex).
template <bool LooksAgain>
struct futex_wakes_spuriously {
    static constexpr auto threads = std::array{"writes", "reads"};
    std::atomic<int> word{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            word.store(1, release);
            futex_wake(word, 1);
        } else {
            while (futex_wait(word, 0) == 0 && LooksAgain && word.load(acquire) == 0) {
            }
            if (word.load(acquire) != 0) require(data == 42);
            if (!LooksAgain) require(word.load(relaxed) != 0);
        }
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;

ORDEAL_SCENARIO("programs/futex_semaphore", futex_semaphore<posts::right>);
ORDEAL_SCENARIO("programs/futex_semaphore_wakes_first", stuck<futex_semaphore<posts::wakes_first>>);
ORDEAL_SCENARIO("programs/futex_semaphore_wakes_once", stuck<futex_semaphore<posts::wakes_once>>);
ORDEAL_SCENARIO("programs/futex_one_waiter", futex_one_waiter<1>);
ORDEAL_SCENARIO("programs/futex_one_waiter_woken_too_early", stuck<futex_one_waiter<2>>);
using two_lock = futex_mutex<mutex_unlocks::right, two>;
using two_lock_and_none_wakes = futex_mutex<mutex_unlocks::without_a_wake, two>;
using two_lock_as_if_alone = futex_mutex<mutex_unlocks::as_if_alone, two>;
using three_lock_as_if_alone = futex_mutex<mutex_unlocks::as_if_alone, three>;
ORDEAL_SCENARIO("programs/futex_mutex", two_lock);
ORDEAL_SCENARIO("programs/futex_mutex_never_wakes", stuck<two_lock_and_none_wakes>);
ORDEAL_SCENARIO("programs/futex_mutex_of_two_as_if_alone", two_lock_as_if_alone);
ORDEAL_SCENARIO("programs/futex_mutex_of_three_as_if_alone", stuck<three_lock_as_if_alone>);
ORDEAL_SCENARIO("programs/futex_wake_if_waited_for", futex_wake_if_waited_for<counts_waiters::right>);
ORDEAL_SCENARIO("programs/futex_wake_if_waited_for_before",
                stuck<futex_wake_if_waited_for<counts_waiters::looks_first>>);
ORDEAL_SCENARIO("programs/futex_wake_if_waited_for_relaxed",
                stuck<futex_wake_if_waited_for<counts_waiters::relaxed_look>>);
ORDEAL_SCENARIO("programs/futex_wake_without_a_store", futex_wake_without_a_store<false>);
ORDEAL_SCENARIO("programs/futex_one_wake_for_two_sleeps", stuck<futex_wake_without_a_store<true>>);
ORDEAL_SCENARIO("programs/futex_says_why", futex_says_why);
ORDEAL_SCENARIO("programs/futex_wakes_all", futex_wakes_some<INT_MAX>);
ORDEAL_SCENARIO("programs/futex_wakes_three", futex_wakes_some<3>);
ORDEAL_SCENARIO("programs/futex_wakes_two_of_three", stuck<futex_wakes_some<2>>);
ORDEAL_SCENARIO("programs/futex_polling", futex_polling);
ORDEAL_SCENARIO("programs/futex_wake_passed_on_by_a_timed_wait", futex_wake_taken_by_a_timed_wait<true>);
ORDEAL_SCENARIO("programs/futex_wake_taken_by_a_timed_wait", stuck<futex_wake_taken_by_a_timed_wait<false>>);
using futex_expects_no_spurious_wake_up = wrong<futex_wakes_spuriously<false>, violation_kind::failed_requirement>;
ORDEAL_SCENARIO("programs/futex_wakes_spuriously", futex_wakes_spuriously<true>);
ORDEAL_SCENARIO("programs/futex_expects_no_spurious_wake_up", futex_expects_no_spurious_wake_up);
ORDEAL_SCENARIO("programs/futex_ends_without_a_wake",
                wrong<futex_ends_without_a_wake, violation_kind::failed_requirement>);
using futex_hands_over_data = wrong<futex_hands_over, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/futex_hands_over", futex_hands_over_data);

}  // namespace

}  // namespace ordeal::model_tests
