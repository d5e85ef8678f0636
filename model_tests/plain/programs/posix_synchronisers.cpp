// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores and barriers of POSIX.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <semaphore>

namespace ordeal::model_tests {

namespace {

struct semaphore {
    sem_t handle;

    explicit semaphore(unsigned count) { sem_init(&handle, 0, count); }
    semaphore(const semaphore&) = delete;
    semaphore& operator=(const semaphore&) = delete;
    ~semaphore() { sem_destroy(&handle); }

    void wait() { sem_wait(&handle); }
    bool try_wait() { return sem_trywait(&handle) == 0; }
    void post() { sem_post(&handle); }
    int count() {
        int result = -1;
        sem_getvalue(&handle, &result);
        return result;
    }
};

// That of the standard library.
struct library_semaphore : std::binary_semaphore {
    using std::binary_semaphore::binary_semaphore;
    void post() { release(); }
    void wait() { acquire(); }
    bool try_wait() { return try_acquire(); }
};

template <bool Answers, class Semaphore = semaphore, int Turns = 2>
struct ping_pong {
    static constexpr auto threads = std::array{"ping", "pong"};
    Semaphore ping{0};
    Semaphore pong{0};
    int ball = 0;

    void run(int thread) {
        for (int turn = 0; turn < Turns; ++turn) {
            if (thread == 0) {
                ++ball;
                ping.post();
                pong.wait();
            } else {
                ping.wait();
                ++ball;
                if (Answers || turn == 0) pong.post();
            }
        }
    }
    void finish() const { require(ball == 2 * Turns); }
};
template <class Semaphore>
struct three_turns : ping_pong<true, Semaphore, 3> {};

template <unsigned Permits>
struct counted_with_permits {
    static constexpr auto threads = std::array{"counts", "counts"};
    semaphore permits{Permits};
    int counter = 0;

    void run(int /*thread*/) {
        permits.wait();
        ++counter;
        permits.post();
    }
    void finish() { require(counter == 2 && permits.count() == Permits); }
};

template <bool Looks>
struct semaphore_tried {
    static constexpr auto threads = std::array{"consumer", "producer"};
    semaphore full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 1) {
            data = 42;
            full.post();
        } else if (full.try_wait() || !Looks) {
            require(data == 42);
        } else {
            require(errno == EAGAIN);
        }
    }
};

// Whoever finds it free has it alone.
template <class Semaphore>
struct semaphore_tried_by_three {
    static constexpr auto threads = std::array{"first", "second", "third"};
    Semaphore free{1};
    int counter = 0;
    std::array<bool, 3> counted{};

    void run(int thread) {
        if (!free.try_wait()) return;
        ++counter;
        counted[static_cast<std::size_t>(thread)] = true;
        free.post();
    }
    void finish() const { require(counter == counted[0] + counted[1] + counted[2] && counter >= 1); }
};

// Made with attributes, as POSIX has no other way.
struct made_with_attributes {
    static constexpr auto threads = std::array{"first", "second"};
    pthread_mutex_t mutex{};
    pthread_cond_t condition{};
    int counter = 0;

    made_with_attributes() {
        pthread_mutexattr_t recursive;
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        int type = 0;
        require(pthread_mutexattr_gettype(&recursive, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&mutex, &recursive);
        pthread_mutexattr_destroy(&recursive);
        pthread_condattr_t steady;
        pthread_condattr_init(&steady);
        pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
        clockid_t clock = 0;
        require(pthread_condattr_getclock(&steady, &clock) == 0 && clock == CLOCK_MONOTONIC);
        pthread_cond_init(&condition, &steady);
        pthread_condattr_destroy(&steady);
    }
    made_with_attributes(const made_with_attributes&) = delete;
    made_with_attributes& operator=(const made_with_attributes&) = delete;
    ~made_with_attributes() {
        pthread_cond_destroy(&condition);
        pthread_mutex_destroy(&mutex);
    }

    void run(int thread) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        counter += 1;
        pthread_mutex_unlock(&mutex);
        pthread_cond_broadcast(&condition);
        while (thread == 0 && counter != 2) pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    void finish() const { require(counter == 2); }
};

struct semaphore_polled {
    static constexpr auto threads = std::array{"consumer", "producer"};
    semaphore full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 1) {
            data = 42;
            full.post();
            return;
        }
        while (!full.try_wait()) {
        }
        require(data == 42);
    }
};

struct semaphore_waited_for_in_time {
    static constexpr auto threads = std::array{"consumer", "producer"};
    semaphore full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 1) {
            data = 42;
            full.post();
            return;
        }
        timespec limit{};
        clock_gettime(CLOCK_REALTIME, &limit);
        ++limit.tv_sec;
        if (sem_timedwait(&full.handle, &limit) == 0) {
            require(data == 42);
        } else {
            require(errno == ETIMEDOUT);
        }
    }
};

// Who was woken may destroy it, and nobody else.
template <bool Waits>
struct semaphore_destroyed {
    static constexpr auto threads = std::array{"owner", "posts"};
    semaphore* done = new semaphore(0);

    void run(int thread) {
        if (thread == 1) return done->post();
        if (Waits) done->wait();
        delete done;
    }
};

struct semaphore_destroyed_in_use {
    static constexpr auto threads = std::array{"waits", "destroys"};
    sem_t done;

    semaphore_destroyed_in_use() { sem_init(&done, 0, 0); }
    void run(int thread) {
        if (thread == 0) {
            sem_wait(&done);
        } else {
            sem_post(&done);
            sem_destroy(&done);
        }
    }
};

struct semaphore_taken_twice {
    static constexpr auto threads = std::array{"both"};
    semaphore permits{1};

    void run(int /*thread*/) {
        permits.wait();
        permits.wait();
    }
};

struct barrier {
    pthread_barrier_t handle;

    explicit barrier(unsigned count) { pthread_barrier_init(&handle, nullptr, count); }
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;
    ~barrier() { pthread_barrier_destroy(&handle); }
    bool wait() { return pthread_barrier_wait(&handle) == PTHREAD_BARRIER_SERIAL_THREAD; }
};

// Each writes its own, and after the barrier reads the other's; after a second one it may write again.
template <int Rounds>
struct phases {
    static constexpr auto threads = std::array{"left", "right"};
    barrier between{2};
    std::array<int, 2> own{};
    std::atomic<int> serial{0};

    void run(int thread) {
        const auto mine = static_cast<std::size_t>(thread);
        own[mine] = 1;
        if (between.wait()) ++serial;
        require(own[1 - mine] == 1);
        if (Rounds == 2 && between.wait()) ++serial;
        own[mine] = 2;
    }
    void finish() const { require(serial.load() == Rounds); }
};

struct barrier_for_three {
    static constexpr auto threads = std::array{"first", "second", "third"};
    barrier all{3};
    std::array<int, 3> own{};

    void run(int thread) {
        own[static_cast<std::size_t>(thread)] = 1;
        (void)all.wait();
        require(own[0] + own[1] + own[2] == 3);
    }
};

struct barrier_for_one_too_many {
    static constexpr auto threads = std::array{"first", "second"};
    barrier all{3};

    void run(int /*thread*/) { (void)all.wait(); }
};

// As soon as one has come through, it may.
struct barrier_destroyed_by_one {
    static constexpr auto threads = std::array{"first", "second"};
    barrier* both = new barrier(2);

    void run(int /*thread*/) {
        if (both->wait()) delete both;
    }
};

struct barrier_destroyed_in_use {
    static constexpr auto threads = std::array{"waits", "destroys"};
    pthread_barrier_t both;

    barrier_destroyed_in_use() { pthread_barrier_init(&both, nullptr, 2); }
    void run(int thread) {
        if (thread == 0) {
            pthread_barrier_wait(&both);
        } else {
            pthread_barrier_destroy(&both);
        }
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;
template <class Program>
using races = wrong<Program, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/posix_made_with_attributes", made_with_attributes);
ORDEAL_SCENARIO("programs/posix_semaphore_ping_pong", ping_pong<true>);
ORDEAL_SCENARIO("programs/posix_semaphore_three_turns", three_turns<semaphore>);
ORDEAL_SCENARIO("programs/semaphore_three_turns", three_turns<library_semaphore>);
ORDEAL_SCENARIO("programs/posix_semaphore_tried_by_three", semaphore_tried_by_three<semaphore>);
ORDEAL_SCENARIO("programs/semaphore_tried_by_three", semaphore_tried_by_three<library_semaphore>);
ORDEAL_SCENARIO("programs/posix_semaphore_no_answer", stuck<ping_pong<false>>);
ORDEAL_SCENARIO("programs/posix_semaphore_as_lock", counted_with_permits<1>);
ORDEAL_SCENARIO("programs/posix_semaphore_of_two_as_lock", races<counted_with_permits<2>>);
ORDEAL_SCENARIO("programs/posix_semaphore_tried", semaphore_tried<true>);
ORDEAL_SCENARIO("programs/posix_semaphore_failure_ignored",
                wrong<semaphore_tried<false>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/posix_semaphore_polled", semaphore_polled);
ORDEAL_SCENARIO("programs/posix_semaphore_in_time", semaphore_waited_for_in_time);
ORDEAL_SCENARIO("programs/posix_semaphore_destroyed", semaphore_destroyed<true>);
ORDEAL_SCENARIO("programs/posix_semaphore_destroyed_too_early",
                wrong<semaphore_destroyed<false>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/posix_semaphore_destroyed_in_use",
                wrong<semaphore_destroyed_in_use, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/posix_semaphore_taken_twice", stuck<semaphore_taken_twice>);
ORDEAL_SCENARIO("programs/posix_barrier", phases<2>);
ORDEAL_SCENARIO("programs/posix_barrier_one_round", races<phases<1>>);
ORDEAL_SCENARIO("programs/posix_barrier_for_three", barrier_for_three);
ORDEAL_SCENARIO("programs/posix_barrier_for_one_too_many", stuck<barrier_for_one_too_many>);
ORDEAL_SCENARIO("programs/posix_barrier_destroyed", barrier_destroyed_by_one);
ORDEAL_SCENARIO("programs/posix_barrier_destroyed_in_use",
                wrong<barrier_destroyed_in_use, violation_kind::precondition>);

}  // namespace

}  // namespace ordeal::model_tests
