// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the only thread does before it creates others: no events are made of that.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

// As queues of a fixed size have them.
class cells {
public:
    explicit cells(std::size_t first) {
        for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i].store(first + i, relaxed);
        head_.fetch_add(1, std::memory_order_seq_cst);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    [[nodiscard]] std::size_t sum() const {
        std::size_t result = head_.load(relaxed);
        for (const std::atomic<std::size_t>& each : turns_) result += each.load(relaxed);
        return result;
    }
    std::atomic<std::size_t>& operator[](std::size_t index) { return turns_[index]; }

private:
    std::array<std::atomic<std::size_t>, 64> turns_;
    std::atomic<std::size_t> head_{0};
};

// A thread sees all that was stored before it was created, whatever the orders.
struct stored_before_threads {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        cells table(1);
        require(table.sum() == 64U * 65 / 2 + 1);
        std::thread other([&] { require(table[0].load(relaxed) == 1 && table[63].load(relaxed) == 64); });
        other.join();
    }
};

// A store that comes after the creation may be seen or not.
template <std::size_t Must>
struct stored_after_creation {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<std::size_t> value{0};
        value.store(1, relaxed);
        std::thread other([&] {
            const std::size_t seen = value.load(relaxed);
            require(seen != 0 && (Must == 0 || seen == Must));
        });
        value.store(2, relaxed);
        other.join();
    }
};

// The same objects go on to be accessed by events.
template <std::memory_order Publish>
struct handed_over_later {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> full{0};
        int content = 0;
        full.store(-1, relaxed);
        int expected = -1;
        require(full.compare_exchange_strong(expected, 0));
        std::thread reader([&] {
            if (full.load(acquire) == 1) require(content == 42);
        });
        content = 42;
        full.store(1, Publish);
        reader.join();
    }
};

// The lock is taken before the thread is created, and given back after that.
template <bool Locks>
struct held_at_creation {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex lock;
        int count = 0;
        lock.lock();
        std::thread other([&] {
            if (Locks) lock.lock();
            ++count;
            if (Locks) lock.unlock();
        });
        ++count;
        lock.unlock();
        other.join();
        require(count == 2);
    }
};

struct locked_twice_by_the_only_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex lock;
        const std::scoped_lock first(lock);
        const std::scoped_lock second(lock);
    }
};

struct nobody_to_wait_for {
    static constexpr auto threads = only_main;
    std::atomic<bool> ready{false};

    void run(int /*thread*/) {
        while (!ready.load(acquire)) {
        }
    }
};

struct nobody_to_notify {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<bool> ready{false};
        ready.notify_all();
        ready.wait(false);
    }
};

// Nobody else is there, and it fails all the same.
template <bool Again>
struct weak_exchange_of_the_only_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> value{0};
        value.store(1, relaxed);
        int expected = 1;
        while (!value.compare_exchange_weak(expected, 2) && Again) expected = 1;
        require(value.load(relaxed) == 2);
    }
};

// So many reads that they become events: which that of a read-modify-write may be the first of.
template <int Reads>
struct looks_often_first {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> value{0};
        std::mutex mutex;
        int sum = 0;
        for (int i = 0; i < Reads; ++i) sum += value.load(relaxed);
        int expected = sum;
        require(value.compare_exchange_strong(expected, 1));
        for (int i = 0; i < Reads; ++i) sum += value.load(relaxed);
        {
            const std::scoped_lock lock(mutex);
            ++sum;
        }
        value.fetch_add(1, relaxed);
        std::thread other([&] { require(value.load(relaxed) == 2 && sum == Reads + 1); });
        other.join();
    }
};

struct exchanges_for_nobody {
    static constexpr auto threads = only_main;
    std::atomic_flag taken;

    void run(int /*thread*/) {
        taken.test_and_set(acquire);
        while (taken.test_and_set(acquire)) {
        }
    }
};

ORDEAL_SCENARIO("programs/before_threads_stored", met<stored_before_threads>);
ORDEAL_SCENARIO("programs/before_threads_stored_after", stored_after_creation<0>);
ORDEAL_SCENARIO("programs/before_threads_must_be_old",
                wrong<stored_after_creation<1>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/before_threads_must_be_new",
                wrong<stored_after_creation<2>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/before_threads_handed_over", handed_over_later<release>);
ORDEAL_SCENARIO("programs/before_threads_handed_over_relaxed",
                wrong<handed_over_later<relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/before_threads_lock_held", held_at_creation<true>);
ORDEAL_SCENARIO("programs/before_threads_lock_not_taken", wrong<held_at_creation<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/before_threads_locked_twice",
                wrong<locked_twice_by_the_only_thread, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/before_threads_turns_for_ever", wrong<nobody_to_wait_for, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/before_threads_waits_for_ever", wrong<nobody_to_notify, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/before_threads_exchanges_for_ever", wrong<exchanges_for_nobody, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/before_threads_many_looks", met<looks_often_first<999>>);
ORDEAL_SCENARIO("programs/before_threads_more_looks", met<looks_often_first<1000>>);
ORDEAL_SCENARIO("programs/before_threads_most_looks", met<looks_often_first<1001>>);
ORDEAL_SCENARIO("programs/before_threads_weak_exchange", weak_exchange_of_the_only_thread<true>);
ORDEAL_SCENARIO("programs/before_threads_weak_exchange_once",
                wrong<weak_exchange_of_the_only_thread<false>, violation_kind::failed_requirement>);

}  // namespace

}  // namespace ordeal::model_tests
