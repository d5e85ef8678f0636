// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to wait for ever.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

template <bool LastOneIsLeftHanded>
struct dining_philosophers {
    static constexpr auto threads = std::array{"one", "two", "three"};
    std::array<std::mutex, 3> forks;

    void run(int thread) {
        auto first = static_cast<std::size_t>(thread);
        std::size_t second = (first + 1) % forks.size();
        if (LastOneIsLeftHanded && second == 0) std::swap(first, second);
        const std::lock_guard left(forks[first]);
        const std::lock_guard right(forks[second]);
    }
};

// Both look, and then both want to write, and neither lets go.
struct readers_want_to_write {
    static constexpr auto threads = std::array{"one", "two"};
    std::shared_mutex mutex;
    int value = 0;

    void run(int /*thread*/) {
        mutex.lock_shared();
        const bool wanted = value == 0;
        if (wanted) {
            mutex.lock();
            value = 1;
            mutex.unlock();
        }
        mutex.unlock_shared();
    }
};

// As above, but the second one does not have the first lock meanwhile.
struct readers_let_go_first {
    static constexpr auto threads = std::array{"one", "two"};
    std::shared_mutex mutex;
    int writes = 0;

    void run(int /*thread*/) {
        {
            const std::shared_lock lock(mutex);
            if (writes != 0) return;
        }
        const std::unique_lock lock(mutex);
        if (writes == 0) ++writes;
    }
    void finish() const { require(writes == 1); }
};

// A reader reads again, by itself or by way of another one, while a writer may wait. What a lock does then is its kind's.
enum class reads_again : std::uint8_t { itself, by_trying, another, after_unlock };

template <int Kind, reads_again Who>
struct reader_reads_again {
    static constexpr auto threads = std::array{"reader", "reader", "writer"};
    pthread_rwlock_t lock;
    std::atomic<bool> read{false};
    int value = 0;

    reader_reads_again() {
        pthread_rwlockattr_t attributes;
        pthread_rwlockattr_init(&attributes);
        pthread_rwlockattr_setkind_np(&attributes, Kind);
        pthread_rwlock_init(&lock, &attributes);
        pthread_rwlockattr_destroy(&attributes);
    }
    reader_reads_again(const reader_reads_again&) = delete;
    reader_reads_again& operator=(const reader_reads_again&) = delete;
    ~reader_reads_again() { pthread_rwlock_destroy(&lock); }

    void run(int thread) {
        if (thread == 2) {
            pthread_rwlock_wrlock(&lock);
            ++value;
            pthread_rwlock_unlock(&lock);
        } else if (thread == 1) {
            if (Who != reads_again::another) return;
            pthread_rwlock_rdlock(&lock);
            read = true;
            read.notify_one();
            pthread_rwlock_unlock(&lock);
        } else {
            pthread_rwlock_rdlock(&lock);
            const int before = value;
            if (Who == reads_again::another) read.wait(false);
            if (Who == reads_again::after_unlock) pthread_rwlock_unlock(&lock);
            if (Who == reads_again::by_trying) {
                while (pthread_rwlock_tryrdlock(&lock) != 0) {
                }
            } else if (Who != reads_again::another) {
                pthread_rwlock_rdlock(&lock);
            }
            require(Who == reads_again::after_unlock || value == before);
            pthread_rwlock_unlock(&lock);
            if (Who == reads_again::itself || Who == reads_again::by_trying) pthread_rwlock_unlock(&lock);
        }
    }
};

template <reads_again Who>
using writers_first = reader_reads_again<PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, Who>;
template <reads_again Who>
using readers_first = reader_reads_again<PTHREAD_RWLOCK_PREFER_READER_NP, Who>;

// A reader that does not get the lock again, as a writer with a time limit waits, which gets it afterwards or does not.
template <bool Gets>
struct reader_notices_who_waits {
    static constexpr auto threads = std::array{"reader", "writer"};
    pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    bool noticed = false;
    bool written = false;

    void run(int thread) {
        if (thread == 0) {
            pthread_rwlock_rdlock(&lock);
            noticed = pthread_rwlock_tryrdlock(&lock) != 0;
            if (!noticed) pthread_rwlock_unlock(&lock);
            pthread_rwlock_unlock(&lock);
        } else {
            timespec soon{};
            clock_gettime(CLOCK_REALTIME, &soon);
            soon.tv_sec += 1;
            written = pthread_rwlock_timedwrlock(&lock, &soon) == 0;
            if (written) pthread_rwlock_unlock(&lock);
        }
    }
    void finish() const { require(!noticed || written != Gets); }
};

// The order in which the two come to the lock that prefers writers orders nothing else.
struct written_before_lock {
    static constexpr auto threads = std::array{"writer", "reader"};
    pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    int value = 0;

    void run(int thread) {
        if (thread == 0) {
            value = 1;
            pthread_rwlock_wrlock(&lock);
            pthread_rwlock_unlock(&lock);
        } else {
            pthread_rwlock_rdlock(&lock);
            pthread_rwlock_unlock(&lock);
            require(value == 0 || value == 1);
        }
    }
};

// Locked and unlocked by hand, with an exception between.
template <bool ByHand>
struct exception_while_locked {
    static constexpr auto threads = std::array{"throws", "throws"};
    std::mutex mutex;
    int count = 0;

    void run(int /*thread*/) {
        try {
            if constexpr (ByHand) {
                mutex.lock();
                count_up();
                mutex.unlock();
            } else {
                const std::lock_guard lock(mutex);
                count_up();
            }
        } catch (const std::runtime_error&) {
        }
    }

private:
    void count_up() {
        if (++count > 0) throw std::runtime_error("counted");
    }
};

// The wait has no condition: if nobody waits yet, the notification is lost.
struct wait_without_a_condition {
    static constexpr auto threads = std::array{"notifies", "waits"};
    std::mutex mutex;
    std::condition_variable changed;

    void run(int thread) {
        if (thread == 0) {
            const std::lock_guard lock(mutex);
            changed.notify_one();
        } else {
            std::unique_lock lock(mutex);
            changed.wait(lock);
        }
    }
};

// One condition variable for two conditions: who is notified may be the one who has to wait on.
template <bool All>
struct two_conditions {
    static constexpr auto threads = std::array{"fills", "waits for one", "waits for two"};
    std::mutex mutex;
    std::condition_variable changed;
    int filled = 0;

    void run(int thread) {
        if (thread == 0) {
            fill();
            fill();
        } else {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this, thread] { return filled >= thread; });
        }
    }

private:
    void fill() {
        const std::lock_guard lock(mutex);
        ++filled;
        if (All) {
            changed.notify_all();
        } else {
            changed.notify_one();
        }
    }
};

struct called_once_in_itself {
    static constexpr auto threads = std::array{"calls"};
    std::once_flag once;

    void run(int /*thread*/) {
        std::call_once(once, [this] { std::call_once(once, [] {}); });
    }
};

struct joined_with_a_lock {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::thread worker([&mutex] { const std::lock_guard lock(mutex); });
        const std::lock_guard lock(mutex);
        worker.join();
    }
};

// Each waits for the other to begin.
struct both_wait {
    static constexpr auto threads = std::array{"one", "two"};
    std::array<std::atomic<bool>, 2> begun{};

    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        while (!begun[1 - self].load()) std::this_thread::yield();
        begun[self].store(true);
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;

ORDEAL_SCENARIO("programs/philosophers", dining_philosophers<true>);
ORDEAL_SCENARIO("programs/philosophers_all_alike", stuck<dining_philosophers<false>>);
ORDEAL_SCENARIO("programs/readers_want_to_write", stuck<readers_want_to_write>);
ORDEAL_SCENARIO("programs/readers_let_go_first", readers_let_go_first);
ORDEAL_SCENARIO("programs/reader_reads_again_writers_first", stuck<writers_first<reads_again::itself>>);
ORDEAL_SCENARIO("programs/reader_tries_again_writers_first",
                wrong<writers_first<reads_again::by_trying>, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/reader_tries_again_readers_first", readers_first<reads_again::by_trying>);
ORDEAL_SCENARIO("programs/another_reader_reads_writers_first", stuck<writers_first<reads_again::another>>);
ORDEAL_SCENARIO("programs/reader_unlocks_first_writers_first", writers_first<reads_again::after_unlock>);
ORDEAL_SCENARIO("programs/reader_reads_again_readers_first", readers_first<reads_again::itself>);
ORDEAL_SCENARIO("programs/another_reader_reads_readers_first", readers_first<reads_again::another>);
using gets_it = wrong<reader_notices_who_waits<true>, violation_kind::failed_requirement>;
using gives_up = wrong<reader_notices_who_waits<false>, violation_kind::failed_requirement>;
ORDEAL_SCENARIO("programs/reader_notices_writer_that_gets_it", gets_it);
ORDEAL_SCENARIO("programs/reader_notices_writer_that_gives_up", gives_up);
ORDEAL_SCENARIO("programs/written_before_lock_writers_first", wrong<written_before_lock, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/exception_while_locked", exception_while_locked<false>);
ORDEAL_SCENARIO("programs/exception_while_locked_by_hand", stuck<exception_while_locked<true>>);
ORDEAL_SCENARIO("programs/wait_without_a_condition", stuck<wait_without_a_condition>);
ORDEAL_SCENARIO("programs/two_conditions", two_conditions<true>);
ORDEAL_SCENARIO("programs/two_conditions_one_notified", stuck<two_conditions<false>>);
ORDEAL_SCENARIO("programs/called_once_in_itself", stuck<called_once_in_itself>);
ORDEAL_SCENARIO("programs/joined_with_a_lock", stuck<joined_with_a_lock>);
ORDEAL_SCENARIO("programs/both_wait", wrong<both_wait, violation_kind::livelock>);

}  // namespace

}  // namespace ordeal::model_tests
