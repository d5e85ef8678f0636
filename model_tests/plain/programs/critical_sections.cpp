// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Critical sections that have nothing in common, of which nobody can tell the order; and programs in which somebody can.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace ordeal::model_tests {

namespace {

constexpr auto three_threads = std::array{"first", "second", "third"};
constexpr auto two_threads = std::array{"first", "second"};

// Each has a place of its own.
struct results {
    static constexpr auto threads = three_threads;
    std::mutex mutex;
    std::array<int, 3> result{};

    void run(int thread) {
        const std::lock_guard lock(mutex);
        result.at(static_cast<std::size_t>(thread)) = thread;
    }
    void finish() const { require(result[2] == 2); }
};

template <class Lock>
struct look_up {
    static constexpr auto threads = three_threads;
    std::shared_mutex mutex;
    std::array<int, 3> table{1, 2, 3};

    void run(int thread) {
        const Lock lock(mutex);
        require(table.at(static_cast<std::size_t>(thread)) + table[0] >= 2);
    }
};

struct two_mutexes_in_turn {
    static constexpr auto threads = three_threads;
    std::array<std::mutex, 2> mutexes;
    std::array<std::array<int, 3>, 2> results{};

    void run(int thread) {
        for (std::size_t i = 0; i < 2; ++i) {
            const std::lock_guard lock(mutexes.at(i));
            results.at(i).at(static_cast<std::size_t>(thread)) = 1;
        }
    }
};

// One of them is read by the other.
struct neighbours {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::array<int, 2> places{};

    void run(int thread) {
        const std::lock_guard lock(mutex);
        places.at(static_cast<std::size_t>(thread)) = places[0] + 1;
    }
    void finish() const { require(places[0] == 1 && (places[1] == 1 || places[1] == 2)); }
};

// The same without the lock, which is what a search explores first.
struct neighbours_without_lock {
    static constexpr auto threads = two_threads;
    std::array<int, 2> places{};

    void run(int thread) { places.at(static_cast<std::size_t>(thread)) = places[0] + 1; }
};

// Whoever is second has seen what the first did before: not both find nothing.
template <bool Locks>
struct store_and_load_around {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::array<std::atomic<int>, 2> flags{};
    std::array<int, 2> seen{};

    void run(int thread) {
        const auto mine = static_cast<std::size_t>(thread);
        flags.at(mine).store(1, relaxed);
        if (Locks) {
            const std::lock_guard lock(mutex);
        }
        seen.at(mine) = flags.at(1 - mine).load(relaxed);
    }
    void finish() const { require(seen[0] + seen[1] > 0); }
};

template <bool Crossed>
struct one_within_the_other {
    static constexpr auto threads = two_threads;
    std::array<std::mutex, 2> mutexes;

    void run(int thread) {
        const auto outer = static_cast<std::size_t>(Crossed ? thread : 0);
        const std::lock_guard lock(mutexes.at(outer));
        const std::lock_guard inner(mutexes.at(1 - outer));
    }
};

// Nobody gives the flag who does not come into the section.
struct waits_within {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::atomic<bool> flag{false};

    void run(int thread) {
        const std::lock_guard lock(mutex);
        if (thread == 0) {
            while (!flag.load(acquire)) {
            }
        } else {
            flag.store(true, release);
        }
    }
};

struct never_unlocks {
    static constexpr auto threads = two_threads;
    std::mutex mutex;

    never_unlocks() = default;
    void run(int thread) {
        mutex.lock();
        if (thread == 0) mutex.unlock();
    }
};

// The thread that it waits for waits for the mutex.
template <class Mutex, class Lock>
struct joins_within {
    static constexpr auto threads = only_main;
    Mutex mutex;
    int looks = 0;

    void run(int /*thread*/) {
        Lock lock(mutex);
        std::thread other([this] {
            const std::lock_guard locked(mutex);
            ++looks;
        });
        other.join();
    }
};

struct unlocks_for_another {
    static constexpr auto threads = two_threads;
    std::mutex mutex;

    void run(int thread) {
        if (thread == 0) {
            mutex.lock();
        } else {
            mutex.unlock();
        }
    }
};

// It fails if another thread is within.
struct tries {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::array<bool, 2> were_in{};

    void run(int thread) {
        if (thread == 0) {
            const std::lock_guard lock(mutex);
            were_in[0] = true;
        } else if (mutex.try_lock()) {
            were_in[1] = true;
            mutex.unlock();
        }
    }
    void finish() const { require(were_in[1]); }
};

// What the first has freed before its section may be what the second is given after its own.
struct memory_comes_back {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::unique_ptr<int> first{new int(0)};
    std::uintptr_t address = reinterpret_cast<std::uintptr_t>(first.get());
    bool same = false;

    void run(int thread) {
        if (thread == 0) first.reset();
        {
            const std::lock_guard lock(mutex);
        }
        if (thread == 0) return;
        const std::unique_ptr<int> second(new int(0));
        same = reinterpret_cast<std::uintptr_t>(second.get()) == address;
    }
    void finish() const { require(!same); }
};

// The signal is lost if it comes first.
struct waits_for_a_signal {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::condition_variable changed;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 0) {
            changed.wait(lock);
        } else {
            changed.notify_one();
        }
    }
};

// A relaxed count within the section: two of them are two orders.
struct counts_within {
    static constexpr auto threads = two_threads;
    std::mutex mutex;
    std::atomic<int> count{0};
    std::array<int, 2> tickets{};

    void run(int thread) {
        const std::lock_guard lock(mutex);
        const int before = count.load(relaxed);
        count.store(before + 1, relaxed);
        tickets.at(static_cast<std::size_t>(thread)) = before;
    }
    void finish() const { require(tickets[0] != tickets[1] && count.load(relaxed) == 2); }
};

struct destroyed_by_one {
    static constexpr auto threads = two_threads;
    std::mutex* const mutex = new std::mutex;

    void run(int thread) {
        {
            const std::lock_guard lock(*mutex);
        }
        if (thread == 0) delete mutex;
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;
template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/sections_results", results);
ORDEAL_SCENARIO("programs/sections_look_up", look_up<std::lock_guard<std::shared_mutex>>);
ORDEAL_SCENARIO("programs/sections_look_up_shared", look_up<std::shared_lock<std::shared_mutex>>);
ORDEAL_SCENARIO("programs/sections_of_two_mutexes", two_mutexes_in_turn);
ORDEAL_SCENARIO("programs/sections_neighbours", neighbours);
ORDEAL_SCENARIO("programs/sections_neighbours_without_lock", wrong<neighbours_without_lock, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/sections_store_and_load", store_and_load_around<true>);
ORDEAL_SCENARIO("programs/sections_store_and_load_without_lock", fails<store_and_load_around<false>>);
ORDEAL_SCENARIO("programs/sections_nested", one_within_the_other<false>);
ORDEAL_SCENARIO("programs/sections_nested_crossed", stuck<one_within_the_other<true>>);
ORDEAL_SCENARIO("programs/sections_wait_within", wrong<waits_within, violation_kind::livelock>);
ORDEAL_SCENARIO("programs/sections_never_unlocked", stuck<never_unlocks>);
ORDEAL_SCENARIO("programs/sections_join_within", stuck<joins_within<std::mutex, std::unique_lock<std::mutex>>>);
ORDEAL_SCENARIO("programs/sections_join_within_shared",
                stuck<joins_within<std::shared_mutex, std::shared_lock<std::shared_mutex>>>);
ORDEAL_SCENARIO("programs/sections_unlock_for_another", wrong<unlocks_for_another, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/sections_try", fails<tries>);
ORDEAL_SCENARIO("programs/sections_memory_comes_back", fails<memory_comes_back>);
ORDEAL_SCENARIO("programs/sections_wait_for_a_signal", stuck<waits_for_a_signal>);
ORDEAL_SCENARIO("programs/sections_count_within", counts_within);
ORDEAL_SCENARIO("programs/sections_destroyed_by_one",
                wrong<destroyed_by_one, violation_kind::unsynchronised_destruction>);

}  // namespace

}  // namespace ordeal::model_tests
