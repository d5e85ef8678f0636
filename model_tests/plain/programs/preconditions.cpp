// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of the standard library and of the C library ask of who calls them.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

// Each waits with a mutex, and the first one goes on when it likes.
template <bool Same>
struct waits_with_mutexes {
    static constexpr auto threads = std::array{"waits", "waits", "notifies"};
    std::array<std::mutex, 2> mutexes;
    std::condition_variable changed;
    std::array<bool, 2> done{};

    void run(int thread) {
        if (thread == 2) {
            for (std::size_t i = 0; i < 2; ++i) {
                const std::lock_guard lock(mutexes[Same ? 0 : i]);
                done[i] = true;
            }
            changed.notify_all();
        } else {
            const auto self = static_cast<std::size_t>(thread);
            std::unique_lock lock(mutexes[Same ? 0 : self]);
            changed.wait(lock, [&] { return done[self]; });
        }
    }
};

// One after the other they may.
struct waits_with_mutexes_in_turn {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::condition_variable changed;
        std::array<std::mutex, 2> mutexes;
        for (std::mutex& mutex : mutexes) {
            bool done = false;
            std::thread other([&] {
                const std::lock_guard lock(mutex);
                done = true;
                changed.notify_one();
            });
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return done; });
            }
            other.join();
        }
    }
};

template <bool Waits>
struct condition_destroyed {
    static constexpr auto threads = std::array{"waits", "destroys"};
    std::mutex mutex;
    std::unique_ptr<std::condition_variable> changed = std::make_unique<std::condition_variable>();
    bool begun = false;

    void run(int thread) {
        if (thread == 0) {
            std::unique_lock lock(mutex);
            begun = true;
            if (Waits) changed->wait(lock);
        } else {
            const std::lock_guard lock(mutex);
            if (begun) changed.reset();
        }
    }
};

template <std::ptrdiff_t Second>
struct latch_counted_down {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::latch count{3};

    void run(int thread) { count.count_down(thread == 0 ? 1 : Second); }
};

template <int Most, bool Acquired>
struct semaphore_released {
    static constexpr auto threads = std::array{"first", "second"};
    std::counting_semaphore<Most> count{Most - 1};

    void run(int thread) {
        if (Acquired && thread == 0) count.acquire();
        count.release();
    }
};

template <int Arrivals>
struct barrier_arrived_at {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::barrier barrier(2);
        (void)barrier.arrive(Arrivals);
    }
};

template <class Mutex>
struct tries_own {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        Mutex mutex;
        mutex.lock();
        if (mutex.try_lock()) mutex.unlock();
        mutex.unlock();
    }
};

// POSIX has an error for it.
struct tries_own_pthread_mutex {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        require(pthread_mutex_trylock(&mutex) != 0);
        pthread_mutex_unlock(&mutex);
    }
};

struct shared_twice {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::shared_mutex mutex;
        const std::shared_lock first(mutex);
        const std::shared_lock second(mutex);
    }
};

struct shared_then_tried {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::shared_mutex mutex;
        const std::shared_lock first(mutex);
        const std::unique_lock second(mutex, std::try_to_lock);
    }
};

struct locked_then_tried_shared {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::shared_mutex mutex;
        const std::unique_lock first(mutex);
        const std::shared_lock second(mutex, std::try_to_lock);
    }
};

struct shared_twice_by_posix {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock);
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_destroy(&lock);
    }
};

// What one thread has locked, another unlocks.
template <class Mutex, bool Shared>
struct unlocked_by_another {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        Mutex mutex;
        if constexpr (Shared) {
            mutex.lock_shared();
            std::thread([&] { mutex.unlock_shared(); }).join();
        } else {
            mutex.lock();
            std::thread([&] { mutex.unlock(); }).join();
        }
    }
};

// Locked and unlocked as a reader or as a writer.
template <bool AsReader, bool UnlockedAsReader>
struct unlocked_as {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::shared_mutex mutex;
        if (AsReader) {
            mutex.lock_shared();
        } else {
            mutex.lock();
        }
        if (UnlockedAsReader) {
            mutex.unlock_shared();
        } else {
            const std::lock_guard lock(mutex, std::adopt_lock);
        }
    }
};

template <class Mutex>
struct unlocked_twice {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        Mutex mutex;
        mutex.lock();
        mutex.unlock();
        mutex.unlock();
    }
};

struct freed_while_shared {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        const auto mutex = std::make_unique<std::shared_mutex>();
        mutex->lock_shared();
    }
};

struct base {
    int value = 0;
};
struct larger : base {
    int more = 0;
};
struct alignas(64) wide {
    int value = 0;
};

// Hidden, so that compilers do not see through it.
template <class T>
[[gnu::noinline]] T* kept(T* block) {
    static T* volatile last = nullptr;
    last = block;
    return last;
}

struct array_deleted_as_one {
    static void run() { ::operator delete(kept(::operator new[](8))); }
};
struct one_deleted_as_array {
    static void run() { ::operator delete[](kept(::operator new(8))); }
};
struct new_freed {
    static void run() { std::free(kept(::operator new(8))); }
};
struct new_reallocated {
    static void run() { std::free(std::realloc(kept(::operator new(8)), 16)); }
};
struct malloc_deleted {
    static void run() { ::operator delete(kept(std::malloc(8))); }
};
struct deleted_as_base {
    static void run() { delete kept<base>(new larger); }
};
struct deleted_with_another_size {
    static void run() { ::operator delete(kept(::operator new(8)), std::size_t{16}); }
};
struct deleted_without_alignment {
    static void run() { ::operator delete(kept<void>(new wide)); }
};
struct each_with_its_own {
    static void run() {
        delete kept(new larger);
        delete[] kept(new larger[3]);
        delete kept(new wide);
        delete[] kept(new wide[2]);
        std::free(std::realloc(kept(std::malloc(8)), 16));
        std::free(kept(std::aligned_alloc(64, 64)));
        ::operator delete(kept(::operator new(8, std::nothrow)), std::nothrow);
        ::operator delete(kept(::operator new(8)), std::size_t{8});
    }
};

template <class What>
struct does {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) { What::run(); }
};

template <bool Detached>
struct joined_twice {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        pthread_t thread{};
        pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
        if (Detached) {
            pthread_detach(thread);
        } else {
            pthread_join(thread, nullptr);
        }
        pthread_join(thread, nullptr);
    }
};

template <class Program>
using misused = wrong<Program, violation_kind::precondition>;

ORDEAL_SCENARIO("programs/condition_same_mutex", waits_with_mutexes<true>);
ORDEAL_SCENARIO("programs/condition_two_mutexes", misused<waits_with_mutexes<false>>);
ORDEAL_SCENARIO("programs/condition_two_mutexes_in_turn", waits_with_mutexes_in_turn);
ORDEAL_SCENARIO("programs/condition_destroyed", condition_destroyed<false>);
ORDEAL_SCENARIO("programs/condition_destroyed_with_a_waiter", misused<condition_destroyed<true>>);
ORDEAL_SCENARIO("programs/latch_to_zero", latch_counted_down<2>);
ORDEAL_SCENARIO("programs/latch_below_zero", misused<latch_counted_down<3>>);
ORDEAL_SCENARIO("programs/semaphore_to_its_maximum", semaphore_released<2, true>);
ORDEAL_SCENARIO("programs/semaphore_above_its_maximum", misused<semaphore_released<2, false>>);
ORDEAL_SCENARIO("programs/binary_semaphore_above_one", misused<semaphore_released<1, false>>);
ORDEAL_SCENARIO("programs/barrier_arrived_for_two", barrier_arrived_at<2>);
ORDEAL_SCENARIO("programs/barrier_arrived_for_three", misused<barrier_arrived_at<3>>);
ORDEAL_SCENARIO("programs/mutex_tries_own", misused<tries_own<std::mutex>>);
ORDEAL_SCENARIO("programs/timed_mutex_tries_own", misused<tries_own<std::timed_mutex>>);
ORDEAL_SCENARIO("programs/shared_mutex_tries_own", misused<tries_own<std::shared_mutex>>);
ORDEAL_SCENARIO("programs/recursive_mutex_tries_own", tries_own<std::recursive_mutex>);
ORDEAL_SCENARIO("programs/pthread_mutex_tries_own", tries_own_pthread_mutex);
ORDEAL_SCENARIO("programs/shared_mutex_shared_twice", misused<shared_twice>);
ORDEAL_SCENARIO("programs/shared_mutex_shared_then_tried", misused<shared_then_tried>);
ORDEAL_SCENARIO("programs/shared_mutex_locked_then_tried_shared", misused<locked_then_tried_shared>);
ORDEAL_SCENARIO("programs/pthread_rwlock_shared_twice", shared_twice_by_posix);
ORDEAL_SCENARIO("programs/mutex_unlocked_by_another", misused<unlocked_by_another<std::mutex, false>>);
ORDEAL_SCENARIO("programs/recursive_mutex_unlocked_by_another",
                misused<unlocked_by_another<std::recursive_mutex, false>>);
ORDEAL_SCENARIO("programs/shared_mutex_unlocked_by_another", misused<unlocked_by_another<std::shared_mutex, true>>);
ORDEAL_SCENARIO("programs/shared_mutex_unlocked_as_locked", unlocked_as<false, false>);
ORDEAL_SCENARIO("programs/shared_mutex_unlocked_as_shared", unlocked_as<true, true>);
ORDEAL_SCENARIO("programs/shared_mutex_unlocked_by_no_writer", misused<unlocked_as<true, false>>);
ORDEAL_SCENARIO("programs/shared_mutex_unlocked_by_no_reader", misused<unlocked_as<false, true>>);
ORDEAL_SCENARIO("programs/mutex_unlocked_twice", misused<unlocked_twice<std::mutex>>);
ORDEAL_SCENARIO("programs/recursive_mutex_unlocked_twice", misused<unlocked_twice<std::recursive_mutex>>);
ORDEAL_SCENARIO("programs/shared_mutex_freed_while_shared", misused<freed_while_shared>);
ORDEAL_SCENARIO("programs/new_array_deleted_as_one", misused<does<array_deleted_as_one>>);
ORDEAL_SCENARIO("programs/new_deleted_as_array", misused<does<one_deleted_as_array>>);
ORDEAL_SCENARIO("programs/new_freed", misused<does<new_freed>>);
ORDEAL_SCENARIO("programs/new_reallocated", misused<does<new_reallocated>>);
ORDEAL_SCENARIO("programs/malloc_deleted", misused<does<malloc_deleted>>);
ORDEAL_SCENARIO("programs/deleted_as_base", misused<does<deleted_as_base>>);
ORDEAL_SCENARIO("programs/deleted_with_another_size", misused<does<deleted_with_another_size>>);
ORDEAL_SCENARIO("programs/deleted_without_alignment", misused<does<deleted_without_alignment>>);
ORDEAL_SCENARIO("programs/each_deleted_with_its_own", does<each_with_its_own>);
ORDEAL_SCENARIO("programs/thread_joined_twice", misused<joined_twice<false>>);
ORDEAL_SCENARIO("programs/thread_joined_after_detach", misused<joined_twice<true>>);

}  // namespace

}  // namespace ordeal::model_tests
