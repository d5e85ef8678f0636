// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations fail, each in two programs. In one the loop is left when another thread sets a flag.
// In the other the loop's thread holds a lock meanwhile that the other thread has to take first: so the loop never
// ends.
#include "model_tests/plain/programs/programs.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace ordeal::model_tests {

namespace {

using namespace std::chrono_literals;

/// `Loop` has iterate(), which returns when another thread has called set().
template <class Loop, bool Locked_out>
struct flag_of_loop {
    static constexpr auto threads = std::array{"loops", "sets"};
    std::mutex key;
    Loop loop;

    void run(int thread) {
        std::unique_lock hold(key, std::defer_lock);
        if (Locked_out) hold.lock();
        if (thread == 0) {
            loop.iterate();
        } else {
            loop.set();
        }
    }
};

struct flag_under_mutex {
    std::mutex mutex;
    std::condition_variable changed;
    bool flag = false;

    void set() {
        const std::lock_guard lock(mutex);
        flag = true;
    }
};

// The limit is over before the wait begins.
struct waits_for_no_time : flag_under_mutex {
    void iterate() {
        std::unique_lock lock(mutex);
        while (!flag) changed.wait_for(lock, 0s);
    }
};

// POSIX's limits are points in time: this one has long passed.
struct waits_until_long_ago {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    bool flag = false;

    void iterate() {
        const timespec limit{0, 1'000'000};
        pthread_mutex_lock(&mutex);
        while (!flag) pthread_cond_timedwait(&changed, &mutex, &limit);
        pthread_mutex_unlock(&mutex);
    }
    void set() {
        pthread_mutex_lock(&mutex);
        flag = true;
        pthread_mutex_unlock(&mutex);
    }
};

// The mutex is given back and taken again in each iteration.
struct takes_lock_for_each_wait : flag_under_mutex {
    void iterate() {
        for (;;) {
            std::unique_lock lock(mutex);
            if (flag) return;
            changed.wait_for(lock, 50ms);
        }
    }
};

struct gives_lock_back : flag_under_mutex {
    void iterate() {
        std::unique_lock lock(mutex);
        while (!flag) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }
};

struct atomic_flag_to_set {
    std::atomic<int> flag{0};

    void set() { flag = 1; }
};

struct sleeps_on_futex : atomic_flag_to_set {
    void iterate() {
        const timespec limit{0, 1'000'000};
        while (flag == 0) syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0);
    }
};

// A store of the value that is there makes no other state.
struct stores_what_is_there : atomic_flag_to_set {
    std::atomic<int> stored{0};

    void iterate() {
        while (flag == 0) stored = 1;
    }
};

// But where another thread has stored something else meanwhile, it is stored again.
struct is_overwritten : stores_what_is_there {
    void set() {
        stored = 2;
        while (stored == 2) {
        }
        flag = 1;
    }
};

/// Between two looks it writes, and takes back what it wrote. The wait returns at once.
template <class Wait>
struct waits_and_counts : atomic_flag_to_set {
    static constexpr int another_value = 2;
    std::atomic<int> counter{0};

    void iterate() {
        while (flag == 0) {
            Wait{}(flag, another_value);
            counter.fetch_add(1);
            counter.fetch_sub(1);
        }
    }
};

struct atomic_wait {
    void operator()(std::atomic<int>& flag, int expected) const { flag.wait(expected); }
};
struct futex_wait {
    void operator()(std::atomic<int>& flag, int expected) const {
        syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
    }
};

// Any number of waits that end spuriously is as one; but not if another thread has seen what happens after it.
struct sleeps_and_counts {
    static constexpr auto threads = std::array{"sleeps", "wakes"};
    std::atomic<int> flag{0};
    std::atomic<int> counter{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            while (flag == 0) {
                futex_wait{}(flag, 0);
                counter.fetch_add(1);
                counter.fetch_sub(1);
            }
        } else {
            seen = counter;
            flag = 1;
            syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
        }
    }
    std::string outcome() const { return std::to_string(seen); }
};

// The waits of two loops are made at one place, and come to their time limits.
struct sleeps_in_two_loops {
    static constexpr auto threads = std::array{"sleeps", "sets"};
    std::atomic<int> taken{0};
    std::atomic<int> flag{0};
    std::atomic<int> word{0};

    void run(int thread) {
        if (taken.exchange(1) == 0 && thread == 1) flag = 1;
        if (thread == 1) return;
        for (int i = 0; i < 3; ++i) sleep();
        while (flag == 0) sleep();
    }

private:
    [[gnu::noinline]] void sleep() {
        const timespec limit{0, 1'000'000};
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, nullptr, 0);
    }
};

// A lock that sleeps on a futex.
struct futex_locks {
    static constexpr auto threads = std::array{"locks", "locks too"};
    std::atomic<int> locked{0};
    int protected_by_lock = 0;

    void run(int) {
        while (locked.exchange(1) == 1) futex_wait{}(locked, 1);
        ++protected_by_lock;
        locked = 0;
        syscall(SYS_futex, &locked, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
    void finish() { require(protected_by_lock == 2); }
};

// What it reads it has itself just written, and takes back.
struct reads_its_own_write : atomic_flag_to_set {
    std::atomic<int> looking{0};

    void iterate() {
        for (;;) {
            looking.fetch_add(1);
            require(looking.load() == 1);
            looking.fetch_sub(1);
            if (flag != 0) return;
        }
    }
};

// lock() counts up, and the end of what it returns counts down.
struct locks_weak_pointer {
    std::shared_ptr<int> strong = std::make_shared<int>(1);
    std::weak_ptr<int> weak = strong;

    void iterate() const {
        while (const auto locked = weak.lock()) std::this_thread::yield();
    }
    void set() { strong.reset(); }
};

// A lock of one exchange: taken in vain, it has written what was there.
struct looks_under_spin_lock {
    std::atomic<bool> locked{false};
    std::atomic<int> flag{0};

    void take() {
        while (locked.exchange(true)) {
        }
    }
    void iterate() {
        for (int seen = 0; seen == 0;) {
            take();
            seen = flag.load();
            locked.store(false);
        }
    }
    void set() {
        take();
        flag = 1;
        locked.store(false);
    }
};

// Between two looks of the polling thread the other one gives the mutex back and takes it again.
template <class Mutex, bool Sets>
struct polls_beside_giving_back {
    static constexpr auto threads = std::array{"gives back", "polls", "may set"};
    Mutex mutex;
    bool flag = false;

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (thread == 0) {
            lock.lock();
            while (!flag) {
                lock.unlock();
                lock.lock();
            }
        } else if (thread == 1) {
            for (bool seen = false; !seen;) {
                lock.lock();
                seen = flag;
                lock.unlock();
            }
        } else if (Sets) {
            lock.lock();
            flag = true;
        }
    }
};

// The point in time that each wait ends at is another one.
struct waits_in_steps : flag_under_mutex {
    std::atomic<int> spin_lock{0};

    void iterate() {
        for (;;) {
            mutex.lock();
            if (flag) break;
            {
                std::unique_lock lock(mutex, std::adopt_lock);
                changed.wait_for(lock, 1ms);
                lock.release();
            }
            mutex.unlock();
            while (!free_before()) {
            }
            spin_lock = 0;
        }
        mutex.unlock();
    }

private:
    bool free_before() {
        int expected = 0;
        return spin_lock.compare_exchange_strong(expected, 1);
    }
};

// What is asked of a graph that is tried may find a violation: then the memory is still that of the program.
struct sleeps_and_tries_lock : sleeps_on_futex {
    static constexpr auto threads = std::array{"sets twice", "sleeps and tries"};
    std::mutex mutex;

    void run(int thread) {
        if (thread == 0) {
            flag.store(1);
            flag.store(1);
            return;
        }
        iterate();
        if (mutex.try_lock()) mutex.unlock();
    }
};

template <class Mutex>
using nobody_sets = wrong<polls_beside_giving_back<Mutex, false>, violation_kind::livelock>;
using polls_beside_recursive = polls_beside_giving_back<std::recursive_mutex, true>;
using polls_beside_mutex = polls_beside_giving_back<std::mutex, true>;

template <class Loop>
using ends = flag_of_loop<Loop, false>;
template <class Loop>
using endless = wrong<flag_of_loop<Loop, true>, violation_kind::livelock>;

ORDEAL_SCENARIO("programs/loop/waits_for_no_time", ends<waits_for_no_time>);
ORDEAL_SCENARIO("programs/endless_loop/waits_for_no_time", endless<waits_for_no_time>);
ORDEAL_SCENARIO("programs/loop/waits_until_long_ago", ends<waits_until_long_ago>);
ORDEAL_SCENARIO("programs/endless_loop/waits_until_long_ago", endless<waits_until_long_ago>);
ORDEAL_SCENARIO("programs/loop/takes_lock_for_each_wait", ends<takes_lock_for_each_wait>);
ORDEAL_SCENARIO("programs/endless_loop/takes_lock_for_each_wait", endless<takes_lock_for_each_wait>);
ORDEAL_SCENARIO("programs/loop/gives_lock_back", ends<gives_lock_back>);
ORDEAL_SCENARIO("programs/endless_loop/gives_lock_back", endless<gives_lock_back>);
ORDEAL_SCENARIO("programs/loop/sleeps_on_futex", ends<sleeps_on_futex>);
ORDEAL_SCENARIO("programs/endless_loop/sleeps_on_futex", endless<sleeps_on_futex>);
ORDEAL_SCENARIO("programs/loop/stores_what_is_there", ends<stores_what_is_there>);
ORDEAL_SCENARIO("programs/endless_loop/stores_what_is_there", endless<stores_what_is_there>);
ORDEAL_SCENARIO("programs/loop/is_overwritten", ends<is_overwritten>);
ORDEAL_SCENARIO("programs/endless_loop/is_overwritten", endless<is_overwritten>);
ORDEAL_SCENARIO("programs/loop/waits_and_counts", ends<waits_and_counts<atomic_wait>>);
ORDEAL_SCENARIO("programs/endless_loop/waits_and_counts", endless<waits_and_counts<atomic_wait>>);
ORDEAL_SCENARIO("programs/loop/waits_for_futex_and_counts", ends<waits_and_counts<futex_wait>>);
ORDEAL_SCENARIO("programs/endless_loop/waits_for_futex_and_counts", endless<waits_and_counts<futex_wait>>);
ORDEAL_SCENARIO("programs/loop/sleeps_and_counts", sleeps_and_counts);
ORDEAL_SCENARIO("programs/loop/futex_locks", futex_locks);
ORDEAL_SCENARIO("programs/endless_loop/sleeps_in_two_loops", wrong<sleeps_in_two_loops, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/loop/reads_its_own_write", ends<reads_its_own_write>);
ORDEAL_SCENARIO("programs/endless_loop/reads_its_own_write", endless<reads_its_own_write>);
ORDEAL_SCENARIO("programs/loop/locks_weak_pointer", ends<locks_weak_pointer>);
ORDEAL_SCENARIO("programs/endless_loop/locks_weak_pointer", endless<locks_weak_pointer>);
ORDEAL_SCENARIO("programs/loop/looks_under_spin_lock", ends<looks_under_spin_lock>);
ORDEAL_SCENARIO("programs/endless_loop/looks_under_spin_lock", endless<looks_under_spin_lock>);
ORDEAL_SCENARIO("programs/loop/polls_beside_giving_back", polls_beside_mutex);
ORDEAL_SCENARIO("programs/endless_loop/polls_beside_giving_back", nobody_sets<std::mutex>);
ORDEAL_SCENARIO("programs/loop/polls_beside_giving_back_recursive", polls_beside_recursive);
ORDEAL_SCENARIO("programs/endless_loop/polls_beside_giving_back_recursive", nobody_sets<std::recursive_mutex>);
ORDEAL_SCENARIO("programs/loop/waits_in_steps", ends<waits_in_steps>);
ORDEAL_SCENARIO("programs/endless_loop/waits_in_steps", endless<waits_in_steps>);
ORDEAL_SCENARIO("programs/loop/sleeps_and_tries_lock", sleeps_and_tries_lock);

}  // namespace

}  // namespace ordeal::model_tests
