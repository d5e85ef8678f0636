// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes, semaphores and the like that a function makes and another one destroys: what POSIX leaves undefined in between and
// afterwards, even where every call is ordered after the one before.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

namespace ordeal::model_tests {

namespace {

struct a_mutex {
    pthread_mutex_t it;
    void make() { pthread_mutex_init(&it, nullptr); }
    void use() {
        pthread_mutex_lock(&it);
        pthread_mutex_unlock(&it);
    }
    void lock() { pthread_mutex_lock(&it); }
    void destroy() { pthread_mutex_destroy(&it); }
};
struct a_recursive_mutex : a_mutex {
    void make() {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&it, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
};
struct a_tried_mutex : a_mutex {
    void use() {
        if (pthread_mutex_trylock(&it) == 0) pthread_mutex_unlock(&it);
    }
};
struct a_spin_lock {
    pthread_spinlock_t it;
    void make() { pthread_spin_init(&it, PTHREAD_PROCESS_PRIVATE); }
    void use() {
        pthread_spin_lock(&it);
        pthread_spin_unlock(&it);
    }
    void lock() { pthread_spin_lock(&it); }
    void destroy() { pthread_spin_destroy(&it); }
};
struct a_shared_mutex {
    pthread_rwlock_t it;
    void make() { pthread_rwlock_init(&it, nullptr); }
    void use() {
        pthread_rwlock_wrlock(&it);
        pthread_rwlock_unlock(&it);
    }
    void lock() { pthread_rwlock_wrlock(&it); }
    void destroy() { pthread_rwlock_destroy(&it); }
};
struct a_shared_mutex_of_readers : a_shared_mutex {
    void use() {
        pthread_rwlock_rdlock(&it);
        pthread_rwlock_unlock(&it);
    }
    void lock() { pthread_rwlock_rdlock(&it); }
};
struct a_condition {
    pthread_cond_t it;
    void make() { pthread_cond_init(&it, nullptr); }
    void use() { pthread_cond_signal(&it); }
    void destroy() { pthread_cond_destroy(&it); }
};
struct a_broadcast_condition : a_condition {
    void use() { pthread_cond_broadcast(&it); }
};
struct a_condition_of_the_library {
    alignas(std::condition_variable) std::array<std::byte, sizeof(std::condition_variable)> place;
    std::condition_variable* it = nullptr;
    void make() { it = new (static_cast<void*>(place.data())) std::condition_variable; }
    void use() { it->notify_one(); }
    void destroy() { it->~condition_variable(); }
};
struct a_semaphore {
    sem_t it;
    void make() { sem_init(&it, 0, 2); }
    void use() { sem_wait(&it); }
    void destroy() { sem_destroy(&it); }
};
struct a_posted_semaphore : a_semaphore {
    void use() { sem_post(&it); }
};
struct a_barrier {
    pthread_barrier_t it;
    void make() { pthread_barrier_init(&it, nullptr, 1); }
    void use() { pthread_barrier_wait(&it); }
    void destroy() { pthread_barrier_destroy(&it); }
};

/// The thread that destroys comes first, and everybody knows.
template <class Synchroniser>
struct used_after {
    static constexpr auto threads = std::array{"destroys", "uses"};
    Synchroniser what;
    std::atomic<bool> gone{false};

    used_after() { what.make(); }
    void run(int thread) {
        if (thread == 0) {
            what.use();
            what.destroy();
            gone.store(true, release);
        } else if (gone.load(acquire)) {
            what.use();
        }
    }
};

template <class Synchroniser>
struct destroyed_again {
    static constexpr auto threads = only_main;
    Synchroniser what;

    void run(int /*thread*/) {
        what.make();
        what.destroy();
        what.destroy();
    }
};

template <class Synchroniser>
struct made_again {
    static constexpr auto threads = only_main;
    Synchroniser what;

    void run(int /*thread*/) {
        what.make();
        what.make();
        what.destroy();
    }
};

template <class Synchroniser>
struct destroyed_while_locked {
    static constexpr auto threads = only_main;
    Synchroniser what;

    void run(int /*thread*/) {
        what.make();
        what.lock();
        what.destroy();
    }
};

/// Each in its turn, and each time anew; and in memory that had another one that nobody destroyed.
template <class Synchroniser>
struct made_after_destruction {
    static constexpr auto threads = only_main;
    Synchroniser what;

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            what.make();
            std::thread other([this] { what.use(); });
            other.join();
            what.use();
            what.destroy();
        }
        for (int i = 0; i < 2; ++i) {
            std::memset(&what, 0, sizeof(what));
            what.make();
            what.use();
        }
        for (int i = 0; i < 2; ++i) of_a_function();
    }

private:
    [[gnu::noinline]] void of_a_function() {
        Synchroniser own;
        own.make();
        own.use();
    }
};

struct mutex_assigned_after_destruction {
    static constexpr auto threads = only_main;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

    void run(int /*thread*/) {
        pthread_mutex_destroy(&mutex);
        mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_destroy(&mutex);
    }
};

// A condition variable may be destroyed as soon as all that wait are notified: they need not have left it.
template <bool All>
struct condition_destroyed_when_notified {
    static constexpr auto threads = std::array{"waits", "waits, too", "notifies and destroys"};
    std::mutex mutex;
    std::optional<std::condition_variable> condition{std::in_place};
    int waiting = 0;
    bool over = false;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread != 2) {
            if (over) return;
            ++waiting;
            while (!over) condition->wait(lock);
        } else {
            over = true;
            if (All || waiting != 2) {
                condition->notify_all();
            } else {
                condition->notify_one();
            }
            condition.reset();
        }
    }
};

struct waits_on_a_destroyed_condition {
    static constexpr auto threads = only_main;
    a_condition condition;
    a_mutex mutex;

    void run(int /*thread*/) {
        condition.make();
        mutex.make();
        condition.destroy();
        mutex.lock();
        pthread_cond_wait(&condition.it, &mutex.it);
    }
};

struct barrier_that_nobody_made {
    static constexpr auto threads = only_main;
    a_barrier barrier;

    barrier_that_nobody_made() { std::memset(&barrier, 0, sizeof(barrier)); }
    void run(int /*thread*/) { barrier.use(); }
};

struct joins_itself {
    static constexpr auto threads = only_main;
    void run(int /*thread*/) {
        pthread_t made{};
        pthread_create(
            &made, nullptr,
            [](void*) -> void* {
                pthread_join(pthread_self(), nullptr);
                return nullptr;
            },
            nullptr);
    }
};

template <bool Detach>
struct joins_no_thread {
    static constexpr auto threads = only_main;
    void run(int /*thread*/) {
        pthread_t made{};
        pthread_create(&made, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
        pthread_join(made, nullptr);
        const pthread_t no_thread = made + 1;
        Detach ? pthread_detach(no_thread) : pthread_join(no_thread, nullptr);
    }
};

template <bool Detached>
struct joins_what_it_creates {
    static constexpr auto threads = only_main;
    std::atomic<int> runs{0};

    void run(int /*thread*/) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, Detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
        pthread_t made{};
        pthread_create(&made, &attributes, &run_once, &runs);
        pthread_attr_destroy(&attributes);
        ++runs;
        pthread_join(made, nullptr);
        require(runs.load(relaxed) == 2);
    }

private:
    static void* run_once(void* runs) {
        ++*static_cast<std::atomic<int>*>(runs);
        return nullptr;
    }
};

// Of the C++ library that is an error, which has an exception.
struct joins_itself_by_the_library {
    static constexpr auto threads = only_main;
    void run(int /*thread*/) {
        std::atomic<std::thread*> known{nullptr};
        bool refused = false;
        std::thread made([&] {
            known.wait(nullptr, acquire);
            try {
                known.load(relaxed)->join();
            } catch (const std::system_error& error) {
                refused = error.code() == std::errc::resource_deadlock_would_occur;
            }
        });
        known.store(&made, release);
        known.notify_one();
        made.join();
        require(refused);
    }
};

template <class Program>
using ruled_out = wrong<Program, violation_kind::precondition>;

ORDEAL_SCENARIO("programs/ends_of_mutex", met<made_after_destruction<a_mutex>>);
ORDEAL_SCENARIO("programs/ends_of_spin_lock", met<made_after_destruction<a_spin_lock>>);
ORDEAL_SCENARIO("programs/ends_of_shared_mutex", met<made_after_destruction<a_shared_mutex>>);
ORDEAL_SCENARIO("programs/ends_of_condition", met<made_after_destruction<a_condition>>);
ORDEAL_SCENARIO("programs/ends_of_condition_variable", met<made_after_destruction<a_condition_of_the_library>>);
ORDEAL_SCENARIO("programs/ends_of_semaphore", met<made_after_destruction<a_semaphore>>);
ORDEAL_SCENARIO("programs/ends_of_barrier", met<made_after_destruction<a_barrier>>);
ORDEAL_SCENARIO("programs/ends_of_mutex_assigned", mutex_assigned_after_destruction);
ORDEAL_SCENARIO("programs/ends_joins_itself_by_library", joins_itself_by_the_library);

ORDEAL_SCENARIO("programs/ends_mutex_used_after", ruled_out<used_after<a_mutex>>);
ORDEAL_SCENARIO("programs/ends_recursive_mutex_used_after", ruled_out<used_after<a_recursive_mutex>>);
ORDEAL_SCENARIO("programs/ends_mutex_tried_after", ruled_out<used_after<a_tried_mutex>>);
ORDEAL_SCENARIO("programs/ends_spin_lock_used_after", ruled_out<used_after<a_spin_lock>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_used_after", ruled_out<used_after<a_shared_mutex>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_read_after", ruled_out<used_after<a_shared_mutex_of_readers>>);
ORDEAL_SCENARIO("programs/ends_condition_used_after", ruled_out<used_after<a_condition>>);
ORDEAL_SCENARIO("programs/ends_condition_broadcast_after", ruled_out<used_after<a_broadcast_condition>>);
ORDEAL_SCENARIO("programs/ends_condition_variable_used_after", ruled_out<used_after<a_condition_of_the_library>>);
ORDEAL_SCENARIO("programs/ends_condition_with_all_notified", met<condition_destroyed_when_notified<true>>);
ORDEAL_SCENARIO("programs/ends_condition_with_one_notified", ruled_out<condition_destroyed_when_notified<false>>);
ORDEAL_SCENARIO("programs/ends_condition_waited_on_after", ruled_out<waits_on_a_destroyed_condition>);
ORDEAL_SCENARIO("programs/ends_semaphore_used_after", ruled_out<used_after<a_semaphore>>);
ORDEAL_SCENARIO("programs/ends_semaphore_posted_after", ruled_out<used_after<a_posted_semaphore>>);
ORDEAL_SCENARIO("programs/ends_barrier_used_after", ruled_out<used_after<a_barrier>>);
ORDEAL_SCENARIO("programs/ends_barrier_of_nobody", ruled_out<barrier_that_nobody_made>);

ORDEAL_SCENARIO("programs/ends_mutex_twice", ruled_out<destroyed_again<a_mutex>>);
ORDEAL_SCENARIO("programs/ends_spin_lock_twice", ruled_out<destroyed_again<a_spin_lock>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_twice", ruled_out<destroyed_again<a_shared_mutex>>);
ORDEAL_SCENARIO("programs/ends_condition_twice", ruled_out<destroyed_again<a_condition>>);
ORDEAL_SCENARIO("programs/ends_condition_variable_twice", ruled_out<destroyed_again<a_condition_of_the_library>>);
ORDEAL_SCENARIO("programs/ends_semaphore_twice", ruled_out<destroyed_again<a_semaphore>>);
ORDEAL_SCENARIO("programs/ends_barrier_twice", ruled_out<destroyed_again<a_barrier>>);

ORDEAL_SCENARIO("programs/ends_mutex_made_again", ruled_out<made_again<a_mutex>>);
ORDEAL_SCENARIO("programs/ends_spin_lock_made_again", ruled_out<made_again<a_spin_lock>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_made_again", ruled_out<made_again<a_shared_mutex>>);
ORDEAL_SCENARIO("programs/ends_condition_made_again", ruled_out<made_again<a_condition>>);
ORDEAL_SCENARIO("programs/ends_semaphore_made_again", ruled_out<made_again<a_semaphore>>);
ORDEAL_SCENARIO("programs/ends_barrier_made_again", ruled_out<made_again<a_barrier>>);

ORDEAL_SCENARIO("programs/ends_mutex_while_locked", ruled_out<destroyed_while_locked<a_mutex>>);
ORDEAL_SCENARIO("programs/ends_spin_lock_while_locked", ruled_out<destroyed_while_locked<a_spin_lock>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_while_locked", ruled_out<destroyed_while_locked<a_shared_mutex>>);
ORDEAL_SCENARIO("programs/ends_shared_mutex_while_read", ruled_out<destroyed_while_locked<a_shared_mutex_of_readers>>);

ORDEAL_SCENARIO("programs/ends_joins_itself", ruled_out<joins_itself>);
ORDEAL_SCENARIO("programs/ends_joins_no_thread", ruled_out<joins_no_thread<false>>);
ORDEAL_SCENARIO("programs/ends_joins_what_is_detached", ruled_out<joins_what_it_creates<true>>);
ORDEAL_SCENARIO("programs/ends_joins_what_is_joinable", joins_what_it_creates<false>);
ORDEAL_SCENARIO("programs/ends_detaches_no_thread", ruled_out<joins_no_thread<true>>);

}  // namespace

}  // namespace ordeal::model_tests
