// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mutexes of the standard library, one and several.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

template <class Lock>
struct counted_under_lock {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::shared_mutex mutex;
    int counter = 0;

    void run(int /*thread*/) {
        const Lock lock(mutex);
        ++counter;
    }
    void finish() const { require(counter == 2); }
};

struct readers_and_a_writer {
    static constexpr auto threads = std::array{"reader", "reader", "writer"};
    static constexpr auto interchangeable = std::array{0, 1};
    std::shared_mutex mutex;
    int first = 0;
    int second = 0;

    void run(int thread) {
        if (thread == 2) {
            const std::unique_lock lock(mutex);
            first = 1;
            second = 1;
        } else {
            const std::shared_lock lock(mutex);
            require(first == second);
        }
    }
};

struct nested_lock {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::recursive_mutex mutex;
    int counter = 0;

    void run(int /*thread*/) {
        const std::lock_guard outer(mutex);
        increment();
    }
    void finish() const { require(counter == 2); }

private:
    void increment() {
        const std::lock_guard inner(mutex);
        ++counter;
    }
};

// As one writes it oneself: knows its owner by the thread's id.
struct own_recursive_lock {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::mutex mutex;
    std::atomic<std::thread::id> owner;
    int depth = 0;
    int counter = 0;

    void run(int /*thread*/) {
        lock();
        lock();
        ++counter;
        unlock();
        unlock();
    }
    void finish() const { require(counter == 2); }

private:
    void lock() {
        if (owner.load(std::memory_order_relaxed) != std::this_thread::get_id()) {
            mutex.lock();
            owner.store(std::this_thread::get_id(), std::memory_order_relaxed);
        }
        ++depth;
    }
    void unlock() {
        if (--depth != 0) return;
        owner.store(std::thread::id(), std::memory_order_relaxed);
        mutex.unlock();
    }
};

// From one account to the other, and back.
enum class order_of_locks { scoped, address, opposite };

template <order_of_locks How>
struct transfers {
    static constexpr auto threads = std::array{"there", "back"};
    struct account {
        std::mutex mutex;
        int balance = 10;
    };
    std::array<account, 2> accounts;

    void run(int thread) {
        const auto from = static_cast<std::size_t>(thread);
        account& source = accounts[from];
        account& target = accounts[1 - from];
        if constexpr (How == order_of_locks::scoped) {
            const std::scoped_lock both(source.mutex, target.mutex);
            move_one(source, target);
        } else {
            const bool swapped = How == order_of_locks::address && from == 1;
            const std::lock_guard first(swapped ? target.mutex : source.mutex);
            const std::lock_guard second(swapped ? source.mutex : target.mutex);
            move_one(source, target);
        }
    }
    void finish() const { require(accounts[0].balance == 10 && accounts[1].balance == 10); }

private:
    static void move_one(account& source, account& target) {
        --source.balance;
        ++target.balance;
    }
};

struct tried_once {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::mutex mutex;
    int counter = 0;
    std::atomic<int> successes{0};

    void run(int /*thread*/) {
        const std::unique_lock lock(mutex, std::try_to_lock);
        if (!lock) return;
        ++counter;
        successes.fetch_add(1, std::memory_order_relaxed);
    }
    void finish() const { require(counter == successes.load()); }
};

struct locked_twice {
    static constexpr auto threads = std::array{"locks"};
    std::mutex mutex;

    void run(int /*thread*/) {
        const std::lock_guard outer(mutex);
        const std::lock_guard inner(mutex);
    }
};

struct destroyed_while_locked {
    static constexpr auto threads = std::array{"locks"};

    void run(int /*thread*/) {
        const auto mutex = std::make_unique<std::mutex>();
        mutex->lock();
    }
};

struct any_condition {
    static constexpr auto threads = std::array{"setter", "waiter"};
    std::shared_mutex mutex;
    std::condition_variable_any changed;
    bool set = false;

    void run(int thread) {
        if (thread == 0) {
            const std::unique_lock lock(mutex);
            set = true;
            changed.notify_one();
        } else {
            std::shared_lock lock(mutex);
            changed.wait(lock, [this] { return set; });
        }
    }
};

ORDEAL_SCENARIO("programs/shared_mutex_unique", counted_under_lock<std::unique_lock<std::shared_mutex>>);
ORDEAL_SCENARIO("programs/shared_mutex_written_shared",
                wrong<counted_under_lock<std::shared_lock<std::shared_mutex>>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/shared_mutex_readers", readers_and_a_writer);
ORDEAL_SCENARIO("programs/recursive_mutex", nested_lock);
ORDEAL_SCENARIO("programs/recursive_lock_by_thread_id", own_recursive_lock);
ORDEAL_SCENARIO("programs/two_mutexes_scoped", transfers<order_of_locks::scoped>);
ORDEAL_SCENARIO("programs/two_mutexes_in_one_order", transfers<order_of_locks::address>);
ORDEAL_SCENARIO("programs/two_mutexes_in_opposite_order",
                wrong<transfers<order_of_locks::opposite>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/mutex_tried", tried_once);
ORDEAL_SCENARIO("programs/mutex_locked_twice", wrong<locked_twice, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/mutex_destroyed_while_locked", wrong<destroyed_while_locked, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/condition_variable_any", any_condition);

}  // namespace

}  // namespace ordeal::model_tests
