// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a program passes by address to functions of POSIX and C that the model replaces: each function, each
// pointer. Another thread uses the memory meanwhile, or it was freed before.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

enum class function : std::uint8_t { reads, writes };

// `Call` gets the memory by its address, which is an `Object`.
template <class Object, auto Call, function Does>
struct passing {
    using object = Object;
    static void call(Object* passed) { Call(passed); }
    // What conflicts with it.
    static void use(Object* passed) {
        auto* const byte = reinterpret_cast<volatile unsigned char*>(passed) + sizeof(Object) - 1;
        const unsigned char value = *byte;
        if (Does == function::reads) *byte = value;
    }
};

template <class Passing, bool Ordered>
struct used_by_another {
    static constexpr auto threads = std::array{"passes it", "uses it"};
    std::mutex mutex;
    typename Passing::object passed{};

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Ordered) lock.lock();
        if (thread == 0) {
            Passing::call(&passed);
        } else {
            Passing::use(&passed);
        }
    }
};

template <class Passing, bool Freed>
struct on_heap {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::thread other(meet);
        meet();
        auto* const passed = new Passing::object{};
        if (Freed) delete passed;
        Passing::call(passed);
        if (!Freed) delete passed;
        other.join();
    }
};

template <class Call>
void on_mutex(Call call) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    call(&mutex);
    pthread_mutex_destroy(&mutex);
}

template <class Call>
void on_semaphore(Call call) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    call(&semaphore);
    sem_destroy(&semaphore);
}

template <class Wait>
void on_condition(Wait wait) {
    on_mutex([&](pthread_mutex_t* mutex) {
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        pthread_mutex_lock(mutex);
        wait(&condition, mutex);
        pthread_mutex_unlock(mutex);
        pthread_cond_destroy(&condition);
    });
}

void* nothing(void* /*argument*/) { return nullptr; }

void create_and_join(pthread_t* id, const pthread_attr_t* attributes, void** result) {
    pthread_create(id, attributes, &nothing, nullptr);
    pthread_join(*id, result);
}

template <auto Call, class Object>
using reading = passing<Object, Call, function::reads>;
template <auto Call, class Object>
using writing = passing<Object, Call, function::writes>;

// One program for each thing that may happen to what `Passing` passes.
template <class Passing>
using freed = wrong<on_heap<Passing, true>, violation_kind::use_after_free>;
template <class Passing>
using raced = wrong<used_by_another<Passing, false>, violation_kind::data_race>;

#define ORDEAL_PASSED(name, ...) \
    ORDEAL_SCENARIO("programs/passed_to/" name "_unordered", raced<__VA_ARGS__>); \
    ORDEAL_SCENARIO("programs/passed_to/" name "_locked", used_by_another<__VA_ARGS__, true>); \
    ORDEAL_SCENARIO("programs/passed_to/" name "_freed", freed<__VA_ARGS__>); \
    ORDEAL_SCENARIO("programs/passed_to/" name "_allocated", on_heap<__VA_ARGS__, false>)

// Clocks and sleeps.
ORDEAL_PASSED("clock_gettime", writing<[](timespec* now) { clock_gettime(CLOCK_MONOTONIC, now); }, timespec>);
ORDEAL_PASSED("gettimeofday", writing<[](timeval* now) { gettimeofday(now, nullptr); }, timeval>);
ORDEAL_PASSED("time", writing<[](time_t* now) { (void)time(now); }, time_t>);
ORDEAL_PASSED("timespec_get", writing<[](timespec* now) { (void)timespec_get(now, TIME_UTC); }, timespec>);
ORDEAL_PASSED("nanosleep", reading<[](timespec* duration) { nanosleep(duration, nullptr); }, timespec>);
ORDEAL_PASSED("clock_nanosleep",
              reading<[](timespec* duration) { clock_nanosleep(CLOCK_MONOTONIC, 0, duration, nullptr); }, timespec>);

// Threads.
ORDEAL_PASSED("pthread_create_id", writing<[](pthread_t* id) { create_and_join(id, nullptr, nullptr); }, pthread_t>);
ORDEAL_PASSED("pthread_join_result", writing<[](void** result) {
                  pthread_t id{};
                  create_and_join(&id, nullptr, result);
              },
                                             void*>);
ORDEAL_PASSED("pthread_create_attributes", reading<[](pthread_attr_t* attributes) {
                  pthread_t id{};
                  create_and_join(&id, attributes, nullptr);
              },
                                                   pthread_attr_t>);
using name_of_thread = std::array<char, 1>;
ORDEAL_PASSED("pthread_setname_np",
              reading<[](name_of_thread* name) { pthread_setname_np(pthread_self(), name->data()); }, name_of_thread>);
ORDEAL_PASSED("pthread_setschedparam",
              reading<[](sched_param* parameters) { pthread_setschedparam(pthread_self(), SCHED_OTHER, parameters); },
                      sched_param>);
ORDEAL_PASSED(
    "pthread_setaffinity_np",
    reading<[](cpu_set_t* processors) { pthread_setaffinity_np(pthread_self(), sizeof(*processors), processors); },
            cpu_set_t>);
ORDEAL_PASSED("pthread_key_create", writing<[](pthread_key_t* made) {
                  if (pthread_key_create(made, nullptr) == 0) pthread_key_delete(*made);
              },
                                            pthread_key_t>);

// Points in time until which a thread waits.
ORDEAL_PASSED("pthread_mutex_timedlock", reading<[](timespec* until) {
                  on_mutex([&](pthread_mutex_t* mutex) {
                      if (pthread_mutex_timedlock(mutex, until) == 0) pthread_mutex_unlock(mutex);
                  });
              },
                                                 timespec>);
ORDEAL_PASSED("pthread_mutex_clocklock", reading<[](timespec* until) {
                  on_mutex([&](pthread_mutex_t* mutex) {
                      if (pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, until) == 0) pthread_mutex_unlock(mutex);
                  });
              },
                                                 timespec>);
#define ORDEAL_PASSED_TO_READ_WRITE_LOCK(name, call) \
    ORDEAL_PASSED(name, reading<[](timespec* until) { \
                      pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; \
                      if (call == 0) pthread_rwlock_unlock(&lock); \
                      pthread_rwlock_destroy(&lock); \
                  }, \
                                timespec>)
ORDEAL_PASSED_TO_READ_WRITE_LOCK("pthread_rwlock_timedrdlock", pthread_rwlock_timedrdlock(&lock, until));
ORDEAL_PASSED_TO_READ_WRITE_LOCK("pthread_rwlock_timedwrlock", pthread_rwlock_timedwrlock(&lock, until));
ORDEAL_PASSED_TO_READ_WRITE_LOCK("pthread_rwlock_clockrdlock",
                                 pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, until));
ORDEAL_PASSED_TO_READ_WRITE_LOCK("pthread_rwlock_clockwrlock",
                                 pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, until));
ORDEAL_PASSED("pthread_cond_timedwait", reading<[](timespec* until) {
                  on_condition([&](pthread_cond_t* condition, pthread_mutex_t* mutex) {
                      pthread_cond_timedwait(condition, mutex, until);
                  });
              },
                                                timespec>);
ORDEAL_PASSED("pthread_cond_clockwait", reading<[](timespec* until) {
                  on_condition([&](pthread_cond_t* condition, pthread_mutex_t* mutex) {
                      pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
                  });
              },
                                                timespec>);
ORDEAL_PASSED("sem_timedwait",
              reading<[](timespec* until) { on_semaphore([&](sem_t* semaphore) { sem_timedwait(semaphore, until); }); },
                      timespec>);
ORDEAL_PASSED("sem_clockwait", reading<[](timespec* until) {
                  on_semaphore([&](sem_t* semaphore) { sem_clockwait(semaphore, CLOCK_MONOTONIC, until); });
              },
                                       timespec>);
ORDEAL_PASSED(
    "sem_getvalue",
    writing<[](int* value) { on_semaphore([&](sem_t* semaphore) { sem_getvalue(semaphore, value); }); }, int>);

// Attributes of what is made.
template <class Made, class Attributes, auto Make, auto Destroy>
void make_with(Attributes* attributes) {
    Made made;
    Make(&made, attributes);
    Destroy(&made);
}
ORDEAL_PASSED("pthread_mutex_init",
              reading<&make_with<pthread_mutex_t, pthread_mutexattr_t, &pthread_mutex_init, &pthread_mutex_destroy>,
                      pthread_mutexattr_t>);
ORDEAL_PASSED("pthread_cond_init",
              reading<&make_with<pthread_cond_t, pthread_condattr_t, &pthread_cond_init, &pthread_cond_destroy>,
                      pthread_condattr_t>);
ORDEAL_PASSED("pthread_rwlock_init",
              reading<&make_with<pthread_rwlock_t, pthread_rwlockattr_t, &pthread_rwlock_init, &pthread_rwlock_destroy>,
                      pthread_rwlockattr_t>);
ORDEAL_PASSED("pthread_barrier_init", reading<[](pthread_barrierattr_t* attributes) {
                  pthread_barrier_t barrier;
                  pthread_barrier_init(&barrier, attributes, 1);
                  pthread_barrier_destroy(&barrier);
              },
                                              pthread_barrierattr_t>);

// The new thread may run before its id is stored, but for std::thread.
template <bool Waits>
struct id_in_new_thread {
    static constexpr auto threads = only_main;
    pthread_t id{};
    std::mutex stored;

    void run(int /*thread*/) {
        std::unique_lock lock(stored);
        const auto body = [](void* argument) -> void* {
            auto& self = *static_cast<id_in_new_thread*>(argument);
            std::unique_lock locked(self.stored, std::defer_lock);
            if (Waits) locked.lock();
            require(pthread_equal(self.id, pthread_self()) != 0);
            return nullptr;
        };
        pthread_create(&id, nullptr, body, this);
        lock.unlock();
        pthread_join(id, nullptr);
    }
};

struct id_in_new_std_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        const auto main = std::this_thread::get_id();
        std::thread thread([&] { require(thread.get_id() == std::this_thread::get_id() && thread.get_id() != main); });
        thread.join();
    }
};

// A key is created and deleted by one thread, and used by another.
enum class key_use : std::uint8_t { sets, gets };

template <key_use How, bool Ordered>
struct key_deleted {
    static constexpr auto threads = std::array{"deletes", "uses"};
    std::mutex mutex;
    bool deleted = false;
    pthread_key_t key{};

    key_deleted() { pthread_key_create(&key, nullptr); }
    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Ordered) lock.lock();
        if (thread == 0) {
            pthread_key_delete(key);
            if (Ordered) deleted = true;
        } else if (!Ordered || !deleted) {
            if (How == key_use::sets) {
                pthread_setspecific(key, this);
            } else {
                require(pthread_getspecific(key) == nullptr);
            }
        }
    }
};

ORDEAL_SCENARIO("programs/pthread_create_id_in_new_thread", wrong<id_in_new_thread<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/pthread_create_id_after_lock", id_in_new_thread<true>);
ORDEAL_SCENARIO("programs/std_thread_id_in_new_thread", id_in_new_std_thread);
ORDEAL_SCENARIO("programs/key_set_while_deleted", wrong<key_deleted<key_use::sets, false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/key_got_while_deleted", wrong<key_deleted<key_use::gets, false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/key_set_before_deleted", key_deleted<key_use::sets, true>);
ORDEAL_SCENARIO("programs/key_got_before_deleted", key_deleted<key_use::gets, true>);

}  // namespace

}  // namespace ordeal::model_tests
