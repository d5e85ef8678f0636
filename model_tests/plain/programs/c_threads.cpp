// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, locks, conditions and keys of <threads.h>; and the exit of a thread, which <pthread.h> has as well.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <threads.h>
#include <time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

namespace ordeal::model_tests {

namespace {

struct c_mutex {
    mtx_t handle;

    explicit c_mutex(int kind = mtx_plain) { require(mtx_init(&handle, kind) == thrd_success); }
    c_mutex(const c_mutex&) = delete;
    c_mutex& operator=(const c_mutex&) = delete;
    ~c_mutex() { mtx_destroy(&handle); }

    void lock() { require(mtx_lock(&handle) == thrd_success); }
    void unlock() { require(mtx_unlock(&handle) == thrd_success); }
    bool try_lock() {
        const int result = mtx_trylock(&handle);
        require(result == thrd_success || result == thrd_busy);
        return result == thrd_success;
    }
    bool lock_until(const timespec& end) {
        const int result = mtx_timedlock(&handle, &end);
        require(result == thrd_success || result == thrd_timedout);
        return result == thrd_success;
    }
};

struct c_condition {
    cnd_t handle;

    c_condition() { require(cnd_init(&handle) == thrd_success); }
    c_condition(const c_condition&) = delete;
    c_condition& operator=(const c_condition&) = delete;
    ~c_condition() { cnd_destroy(&handle); }
};

timespec in_a_second() {
    timespec result{};
    timespec_get(&result, TIME_UTC);
    ++result.tv_sec;
    return result;
}

// The letter is the thread's result, too.
template <bool Locks>
struct mailbox {
    static constexpr auto threads = only_main;
    c_mutex mutex;
    c_condition filled;
    int letter = 0;

    void run(int /*thread*/) {
        thrd_t sender{};
        require(thrd_create(&sender, &send, this) == thrd_success);
        mutex.lock();
        while (letter == 0) cnd_wait(&filled.handle, &mutex.handle);
        require(letter == 42);
        mutex.unlock();
        int result = 0;
        require(thrd_join(sender, &result) == thrd_success && result == -42);
    }

private:
    static int send(void* to) {
        auto& mailbox = *static_cast<struct mailbox*>(to);
        if (Locks) mailbox.mutex.lock();
        mailbox.letter = 42;
        if (Locks) mailbox.mutex.unlock();
        cnd_signal(&mailbox.filled.handle);
        return -42;
    }
};

// Who is not woken by a notification waits for ever.
template <bool All>
struct starting_signal {
    static constexpr auto threads = std::array{"first", "second", "starter"};
    c_mutex mutex;
    c_condition started;
    bool go = false;

    void run(int thread) {
        mutex.lock();
        if (thread == 2) {
            go = true;
            All ? cnd_broadcast(&started.handle) : cnd_signal(&started.handle);
        }
        while (!go) cnd_wait(&started.handle, &mutex.handle);
        mutex.unlock();
    }
};

template <bool Crossed>
struct two_mutexes {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<c_mutex, 2> mutexes;
    int both = 0;

    void run(int thread) {
        const auto begin = static_cast<std::size_t>(Crossed ? thread : 0);
        mutexes.at(begin).lock();
        mutexes.at(1 - begin).lock();
        ++both;
        mutexes.at(1 - begin).unlock();
        mutexes.at(begin).unlock();
    }
    void finish() const { require(both == 2); }
};

template <int Kind>
struct locked_twice {
    static constexpr auto threads = std::array{"first", "second"};
    c_mutex mutex{Kind};
    int count = 0;

    void run(int /*thread*/) {
        mutex.lock();
        mutex.lock();
        ++count;
        mutex.unlock();
        mutex.unlock();
    }
    void finish() const { require(count == 2); }
};

struct unlocked_by_another {
    static constexpr auto threads = std::array{"locks", "unlocks"};
    c_mutex mutex;
    std::atomic<bool> locked{false};

    void run(int thread) {
        if (thread == 0) {
            mutex.lock();
            locked.store(true, release);
        } else if (locked.load(acquire)) {
            mutex.unlock();
        }
    }
};

struct tried {
    static constexpr auto threads = std::array{"first", "second"};
    c_mutex mutex{mtx_timed};
    int count = 0;

    void run(int thread) {
        if (thread == 0 ? !mutex.try_lock() : !mutex.lock_until(in_a_second())) return;
        ++count;
        mutex.unlock();
    }
};

struct waits_a_second {
    static constexpr auto threads = std::array{"waits", "signals"};
    c_mutex mutex;
    c_condition changed;
    bool set = false;

    void run(int thread) {
        mutex.lock();
        if (thread == 1) {
            set = true;
            cnd_signal(&changed.handle);
        } else {
            const timespec end = in_a_second();
            while (!set && cnd_timedwait(&changed.handle, &mutex.handle, &end) != thrd_timedout) {
            }
        }
        mutex.unlock();
    }
};

once_flag data_is_made = ONCE_FLAG_INIT;
int made_data = 0;

template <bool Calls>
struct made_once {
    static constexpr auto threads = std::array{"first", "second"};

    void run(int /*thread*/) {
        if (Calls) {
            call_once(&data_is_made, [] { ++made_data; });
        } else {
            ++made_data;
        }
        require(made_data == 1);
    }
};

struct value_of_each_thread {
    static constexpr auto threads = only_main;
    tss_t key{};
    std::atomic<int> ended{0};

    void run(int /*thread*/) {
        require(tss_create(&key, [](void* of) { ++static_cast<value_of_each_thread*>(of)->ended; }) == thrd_success);
        std::array<thrd_t, 2> all{};
        for (thrd_t& each : all) require(thrd_create(&each, &use, this) == thrd_success);
        for (const thrd_t each : all) require(thrd_join(each, nullptr) == thrd_success);
        require(tss_get(key) == nullptr && ended.load() == 2);
        tss_delete(key);
    }

private:
    static int use(void* of) {
        auto& mine = *static_cast<value_of_each_thread*>(of);
        require(tss_get(mine.key) == nullptr && tss_set(mine.key, of) == thrd_success);
        thrd_yield();
        require(tss_get(mine.key) == of);
        return 0;
    }
};

// thrd_create stores the id before the thread begins; pthread_create need not.
struct looks_for_its_id {
    static constexpr auto threads = only_main;
    thrd_t made{};

    void run(int /*thread*/) {
        require(thrd_create(&made, &look, this) == thrd_success);
        require(thrd_join(made, nullptr) == thrd_success);
    }

private:
    static int look(void* of) {
        require(thrd_equal(static_cast<looks_for_its_id*>(of)->made, thrd_current()) != 0);
        return 0;
    }
};

// The scopes of the functions that are running end, and the values of the thread.
struct exits {
    static constexpr auto threads = only_main;
    c_mutex mutex;
    int exited = 0;

    void run(int /*thread*/) {
        std::array<thrd_t, 2> all{};
        for (thrd_t& each : all) require(thrd_create(&each, &count_and_exit, this) == thrd_success);
        for (const thrd_t each : all) {
            int result = 0;
            require(thrd_join(each, &result) == thrd_success && result == 7);
        }
        require(exited == 2);
    }

private:
    [[noreturn]] void exit() {
        const std::lock_guard lock(mutex);
        ++exited;
        thrd_exit(7);
    }
    static int count_and_exit(void* of) {
        static_cast<exits*>(of)->exit();
        return 0;
    }
};

// Who exits with a mutex locked has a handler that unlocks it, or the other waits for ever.
template <bool HasHandler>
struct exits_with_a_mutex {
    static constexpr auto threads = only_main;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int exited = 0;

    void run(int /*thread*/) {
        std::array<pthread_t, 2> all{};
        for (pthread_t& each : all) require(pthread_create(&each, nullptr, &lock_and_exit, this) == 0);
        for (const pthread_t each : all) require(pthread_join(each, nullptr) == 0);
        require(exited == 2);
    }

private:
    static void unlock(void* mutex) { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex)); }
    static void* lock_and_exit(void* of) {
        auto& mine = *static_cast<exits_with_a_mutex*>(of);
        pthread_mutex_lock(&mine.mutex);
        ++mine.exited;
        if (!HasHandler) pthread_exit(nullptr);
        pthread_cleanup_push(&unlock, &mine.mutex);
        pthread_exit(nullptr);
        pthread_cleanup_pop(1);
    }
};

// What it has created goes on without it.
struct first_thread_exits {
    static constexpr auto threads = only_main;
    std::atomic<int> counted{0};

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            pthread_t made{};
            require(pthread_create(&made, nullptr, &count, this) == 0 && pthread_detach(made) == 0);
        }
        pthread_exit(nullptr);
    }
    void finish() const { require(counted.load(relaxed) == 2); }

private:
    static void* count(void* of) {
        static_cast<first_thread_exits*>(of)->counted.fetch_add(1, relaxed);
        return nullptr;
    }
};

template <bool Rethrows>
struct handles_all_exceptions {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        pthread_t made{};
        require(pthread_create(&made, nullptr, &try_to_exit, this) == 0);
        void* result = nullptr;
        require(pthread_join(made, &result) == 0 && result == this);
    }

private:
    static void* try_to_exit(void* of) {
        try {
            pthread_exit(of);
        } catch (...) {
            if (Rethrows) throw;
        }
        return of;
    }
};

struct polls_and_sleeps {
    static constexpr auto threads = std::array{"polls", "sets"};
    std::atomic<bool> set{false};

    void run(int thread) {
        constexpr timespec a_millisecond{0, 1'000'000};
        if (thread == 1) set.store(true, relaxed);
        while (!set.load(relaxed)) thrd_sleep(&a_millisecond, nullptr);
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;
template <class Program>
using races = wrong<Program, violation_kind::data_race>;
template <class Program>
using misused = wrong<Program, violation_kind::precondition>;

ORDEAL_SCENARIO("programs/c_threads_mailbox", mailbox<true>);
ORDEAL_SCENARIO("programs/c_threads_mailbox_without_lock", races<mailbox<false>>);
ORDEAL_SCENARIO("programs/c_threads_started", starting_signal<true>);
ORDEAL_SCENARIO("programs/c_threads_started_one", stuck<starting_signal<false>>);
ORDEAL_SCENARIO("programs/c_threads_two_mutexes", two_mutexes<false>);
ORDEAL_SCENARIO("programs/c_threads_two_mutexes_crossed", stuck<two_mutexes<true>>);
ORDEAL_SCENARIO("programs/c_threads_recursive", locked_twice<mtx_recursive>);
ORDEAL_SCENARIO("programs/c_threads_locked_twice", stuck<locked_twice<mtx_plain>>);
ORDEAL_SCENARIO("programs/c_threads_unlocked_by_another", misused<unlocked_by_another>);
ORDEAL_SCENARIO("programs/c_threads_tried", tried);
ORDEAL_SCENARIO("programs/c_threads_waits_a_second", waits_a_second);
ORDEAL_SCENARIO("programs/c_threads_once", made_once<true>);
ORDEAL_SCENARIO("programs/c_threads_every_time", races<made_once<false>>);
ORDEAL_SCENARIO("programs/c_threads_keys", value_of_each_thread);
ORDEAL_SCENARIO("programs/c_threads_id", looks_for_its_id);
ORDEAL_SCENARIO("programs/c_threads_exit", exits);
ORDEAL_SCENARIO("programs/exit_of_the_first_thread", first_thread_exits);
ORDEAL_SCENARIO("programs/exit_with_a_handler", exits_with_a_mutex<true>);
ORDEAL_SCENARIO("programs/exit_with_a_mutex", stuck<exits_with_a_mutex<false>>);
ORDEAL_SCENARIO("programs/exit_of_a_thread", handles_all_exceptions<true>);
ORDEAL_SCENARIO("programs/exit_of_a_thread_handled", misused<handles_all_exceptions<false>>);
ORDEAL_SCENARIO("programs/c_threads_sleeps", polls_and_sleeps);

}  // namespace

}  // namespace ordeal::model_tests
