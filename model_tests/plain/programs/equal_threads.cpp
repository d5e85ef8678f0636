// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that begin with the same function and equal arguments. Of the right ones a search explores one order. Each wrong one is
// wrong in one order alone, and there is one for each of the two.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

// What equal threads have in common: who comes first gets 0.
struct turns {
    static constexpr auto threads = only_main;
    std::atomic<int> next{0};

    int mine() { return next.fetch_add(1, acquire); }
};

template <std::size_t Count>
struct take_numbers : turns {
    std::array<std::atomic<int>, Count> taken{};
    std::atomic<int> last{0};

    void run(int /*thread*/) {
        std::vector<std::thread> all;
        all.reserve(Count);
        for (std::size_t i = 0; i < Count; ++i) {
            all.emplace_back([this] {
                const int number = mine();
                taken[static_cast<std::size_t>(number)].store(1, relaxed);
                last.store(number, relaxed);
            });
        }
        for (std::thread& each : all) each.join();
        for (const auto& each : taken) require(each.load(relaxed) == 1);
    }
};

// Between the creations the vector grows.
struct in_a_vector_that_grows : turns {
    void run(int /*thread*/) {
        std::vector<std::thread> all;
        for (int i = 0; i < 3; ++i) all.emplace_back([this] { mine(); });
        for (std::thread& each : all) each.join();
        require(next.load(relaxed) == 3);
    }
};

// By a pointer, which is the same for both.
struct by_pthread_create : turns {
    void run(int /*thread*/) {
        std::array<pthread_t, 2> all{};
        const auto work = [](void* of) -> void* {
            static_cast<by_pthread_create*>(of)->mine();
            return nullptr;
        };
        for (pthread_t& each : all) require(pthread_create(&each, nullptr, work, this) == 0);
        for (const pthread_t each : all) require(pthread_join(each, nullptr) == 0);
        require(next.load(relaxed) == 2);
    }
};

// Two groups.
struct of_two_kinds {
    static constexpr auto threads = only_main;
    std::atomic<int> items{0};
    std::atomic<int> seen{0};

    void run(int /*thread*/) {
        const auto produce = [this] { items.fetch_add(1, release); };
        const auto consume = [this] { seen.fetch_add(items.load(acquire), relaxed); };
        std::array all{std::thread(produce), std::thread(produce), std::thread(consume), std::thread(consume)};
        for (std::thread& each : all) each.join();
        require(items.load(relaxed) == 2 && seen.load(relaxed) <= 4);
    }
};

struct that_wait {
    static constexpr auto threads = only_main;
    std::mutex mutex;
    std::condition_variable changed;
    int items = 0;

    void consume() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return items > 0; });
        --items;
    }
    void run(int /*thread*/) {
        const auto work = [this] { consume(); };
        std::thread one(work);
        std::thread other(work);
        for (int i = 0; i < 2; ++i) {
            {
                const std::scoped_lock guard(mutex);
                ++items;
            }
            changed.notify_one();
        }
        one.join();
        other.join();
        require(items == 0);
    }
};

// Each request to stop is made after the thread before it was joined. Nobody looks at it.
struct jthreads : turns {
    void run(int /*thread*/) {
        {
            std::vector<std::jthread> all;
            for (int i = 0; i < 2; ++i) all.emplace_back([this] { mine(); });
        }
        require(next.load(relaxed) == 2);
    }
};

// Each has a variable of its own, with the same value at first.
struct with_thread_locals : turns {
    static int count() {
        thread_local int calls = 0;
        return ++calls;
    }

    void run(int /*thread*/) {
        const auto work = [this] {
            (void)count();
            require(count() == 2);
            mine();
        };
        std::thread one(work);
        std::thread other(work);
        one.join();
        other.join();
        require(next.load(relaxed) == 2);
    }
};

// From here on: wrong, where the thread that comes `First`-th is the second that was created.

template <int First>
struct know_their_ids : turns {
    std::array<std::thread::id, 2> ids;

    void run(int /*thread*/) {
        const auto work = [this] {
            const auto number = static_cast<std::size_t>(mine());
            ids[number] = std::this_thread::get_id();
        };
        std::thread one(work);
        std::thread other(work);
        const std::thread::id id = one.get_id();
        one.join();
        other.join();
        require(ids[First] == id);
    }
};

// The numbers come from a counter, so the code is the same: who has which is seen by what they do alone.
template <int First>
struct number_themselves : turns {
    std::atomic<int> value{0};

    void run(int /*thread*/) {
        const auto work = [this] {
            thread_local const int number = mine();
            value.store(number + 1, relaxed);
        };
        std::thread one(work);
        std::thread other(work);
        one.join();
        other.join();
        require(value.load(relaxed) == First + 1);
    }
};

template <int First>
struct are_joined_one_by_one : turns {
    std::atomic<bool> done{false};

    void run(int /*thread*/) {
        const auto work = [this] {
            if (mine() == First) done.store(true, relaxed);
        };
        std::thread one(work);
        std::thread other(work);
        one.join();
        require(done.load(relaxed));
        other.join();
    }
};

template <int First>
struct are_looked_at_between_joins : turns {
    int result = 0;

    void run(int /*thread*/) {
        const auto work = [this] {
            if (mine() == First) result = 1;
        };
        std::thread one(work);
        std::thread other(work);
        one.join();
        const int seen = result;
        other.join();
        require(seen <= 1);
    }
};

template <int First>
struct return_something : turns {
    void run(int /*thread*/) {
        const auto work = [](void* of) -> void* {
            const int number = static_cast<return_something*>(of)->mine();
            return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
        };
        std::array<pthread_t, 2> all{};
        std::array<void*, 2> results{};
        for (pthread_t& each : all) require(pthread_create(&each, nullptr, work, this) == 0);
        for (std::size_t i = 0; i < 2; ++i) require(pthread_join(all[i], &results[i]) == 0);
        require(results[0] == reinterpret_cast<void*>(static_cast<std::uintptr_t>(First)));
    }
};

template <int First>
struct leave_results_behind : turns {
    struct argument {
        leave_results_behind* of;
        int number;
    };

    void run(int /*thread*/) {
        const auto work = [](void* of) -> void* {
            auto& mine = *static_cast<argument*>(of);
            mine.number = mine.of->mine();
            return nullptr;
        };
        std::array<pthread_t, 2> all{};
        std::array<argument*, 2> arguments{new argument{this, 0}, new argument{this, 0}};
        for (std::size_t i = 0; i < 2; ++i) require(pthread_create(&all[i], nullptr, work, arguments[i]) == 0);
        for (const pthread_t each : all) require(pthread_join(each, nullptr) == 0);
        const bool right = arguments[0]->number == First;
        for (const argument* each : arguments) delete each;
        require(right);
    }
};

// The creator writes what one of them reads, in between.
template <int First>
struct are_created_around_a_write : turns {
    int started = 0;

    void run(int /*thread*/) {
        const auto work = [this] {
            if (mine() == First) require(started <= 1);
        };
        std::thread one(work);
        started = 1;
        std::thread other(work);
        one.join();
        other.join();
    }
};

// No race: whoever looks has seen the flag.
template <int First>
struct are_created_around_a_flag : turns {
    std::atomic<bool> started{false};

    void run(int /*thread*/) {
        const auto work = [this] {
            if (mine() == First) require(started.load(acquire));
        };
        std::thread one(work);
        started.store(true, release);
        std::thread other(work);
        one.join();
        other.join();
    }
};

template <int First>
struct are_created_at_different_times : turns {
    std::array<std::chrono::steady_clock::time_point, 2> times;

    void run(int /*thread*/) {
        const auto work = [this] {
            const auto number = static_cast<std::size_t>(mine());
            times[number] = std::chrono::steady_clock::now();
        };
        const auto begin = std::chrono::steady_clock::now();
        std::thread one(work);
        std::this_thread::sleep_for(std::chrono::seconds(1));
        std::thread other(work);
        one.join();
        other.join();
        require(times[First] == begin);
    }
};

// The second one may be given the memory.
template <int First>
struct are_created_around_a_free : turns {
    std::array<std::uintptr_t, 2> places{};

    void run(int /*thread*/) {
        const auto work = [this] {
            const auto number = static_cast<std::size_t>(mine());
            auto* const block = new std::array<char, 200>;
            places[number] = reinterpret_cast<std::uintptr_t>(block);
            delete block;
        };
        auto* const before = new std::array<char, 200>;
        const auto place = reinterpret_cast<std::uintptr_t>(before);
        std::thread one(work);
        delete before;
        std::thread other(work);
        one.join();
        other.join();
        require(places[1 - First] != place);
    }
};

ORDEAL_SCENARIO("programs/equal_threads_2", take_numbers<2>);
ORDEAL_SCENARIO("programs/equal_threads_3", take_numbers<3>);
ORDEAL_SCENARIO("programs/equal_threads_4", take_numbers<4>);
ORDEAL_SCENARIO("programs/equal_threads_in_a_vector", in_a_vector_that_grows);
ORDEAL_SCENARIO("programs/equal_threads_by_pthread_create", by_pthread_create);
ORDEAL_SCENARIO("programs/equal_threads_of_two_kinds", of_two_kinds);
ORDEAL_SCENARIO("programs/equal_threads_that_wait", that_wait);
ORDEAL_SCENARIO("programs/equal_jthreads", jthreads);
ORDEAL_SCENARIO("programs/equal_threads_with_thread_locals", with_thread_locals);

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;
template <class Program>
using races = wrong<Program, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/equal_threads_ids_0", fails<know_their_ids<0>>);
ORDEAL_SCENARIO("programs/equal_threads_ids_1", fails<know_their_ids<1>>);
ORDEAL_SCENARIO("programs/equal_threads_numbers_0", fails<number_themselves<0>>);
ORDEAL_SCENARIO("programs/equal_threads_numbers_1", fails<number_themselves<1>>);
ORDEAL_SCENARIO("programs/equal_threads_joins_0", fails<are_joined_one_by_one<0>>);
ORDEAL_SCENARIO("programs/equal_threads_joins_1", fails<are_joined_one_by_one<1>>);
ORDEAL_SCENARIO("programs/equal_threads_between_joins_0", races<are_looked_at_between_joins<0>>);
ORDEAL_SCENARIO("programs/equal_threads_between_joins_1", races<are_looked_at_between_joins<1>>);
ORDEAL_SCENARIO("programs/equal_threads_results_0", fails<return_something<0>>);
ORDEAL_SCENARIO("programs/equal_threads_results_1", fails<return_something<1>>);
ORDEAL_SCENARIO("programs/equal_threads_arguments_0", fails<leave_results_behind<0>>);
ORDEAL_SCENARIO("programs/equal_threads_arguments_1", fails<leave_results_behind<1>>);
ORDEAL_SCENARIO("programs/equal_threads_write_0", races<are_created_around_a_write<0>>);
ORDEAL_SCENARIO("programs/equal_threads_write_1", races<are_created_around_a_write<1>>);
ORDEAL_SCENARIO("programs/equal_threads_flag_0", fails<are_created_around_a_flag<0>>);
ORDEAL_SCENARIO("programs/equal_threads_flag_1", fails<are_created_around_a_flag<1>>);
ORDEAL_SCENARIO("programs/equal_threads_times_0", fails<are_created_at_different_times<0>>);
ORDEAL_SCENARIO("programs/equal_threads_times_1", fails<are_created_at_different_times<1>>);
ORDEAL_SCENARIO("programs/equal_threads_free_0", fails<are_created_around_a_free<0>>);
ORDEAL_SCENARIO("programs/equal_threads_free_1", fails<are_created_around_a_free<1>>);

}  // namespace

}  // namespace ordeal::model_tests
