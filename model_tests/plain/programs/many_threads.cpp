// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many threads as an execution can have: main, and 70 that it creates. And programs of a few threads, alone and after so many others
// that theirs are the last numbers.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

constexpr std::size_t all_created = 70;

template <class Work>
void in_threads(std::size_t count, const Work& work) {
    std::vector<std::thread> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.emplace_back([&work, i] { work(i); });
    for (std::thread& each : all) each.join();
}

struct each_for_itself {
    static constexpr auto threads = only_main;
    std::array<std::atomic<int>, all_created> counts{};
    std::array<int, all_created> plain{};

    void run(int /*thread*/) {
        in_threads(all_created, [this](std::size_t i) {
            counts[i].fetch_add(1, relaxed);
            plain[i] = static_cast<int>(i);
        });
        for (std::size_t i = 0; i < all_created; ++i) {
            require(counts[i].load(relaxed) == 1 && plain[i] == static_cast<int>(i));
        }
    }
};

// The last thread looks at what the first one has written.
struct unordered_from_first_to_last {
    static constexpr auto threads = only_main;
    int payload = 0;
    std::atomic<bool> ready{false};
    std::array<std::atomic<int>, all_created> counts{};

    void run(int /*thread*/) {
        in_threads(all_created, [this](std::size_t i) {
            counts[i].fetch_add(1, relaxed);
            if (i == 0) {
                payload = 1;
                ready.store(true, relaxed);
            } else if (i + 1 == all_created && ready.load(relaxed)) {
                require(payload == 1);
            }
        });
    }
};

// One is woken, and the others wait for ever.
struct notified_once {
    static constexpr auto threads = only_main;
    std::mutex mutex;
    std::condition_variable changed;
    bool set = false;

    void run(int /*thread*/) {
        in_threads(all_created, [this](std::size_t i) {
            std::unique_lock lock(mutex);
            if (i + 1 == all_created) {
                set = true;
                changed.notify_one();
            } else {
                changed.wait(lock, [this] { return set; });
            }
        });
    }
};

struct one_too_many {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        in_threads(all_created + 1, [](std::size_t) {});
    }
};

// They leave nothing behind that a search could choose from. Nobody joins them, so no other thread follows them.
void use_up_threads(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        pthread_t idle{};
        require(pthread_create(&idle, nullptr, [](void*) -> void* { return nullptr; }, nullptr) == 0);
        require(pthread_detach(idle) == 0);
    }
}

// All orders are of one class.
struct by_equal_threads {
    static constexpr auto threads = only_main;
    static constexpr std::size_t equal = 10;
    std::mutex mutex;
    int count = 0;

    void run(int /*thread*/) {
        use_up_threads(all_created - equal);
        std::array<pthread_t, equal> all{};
        const auto work = [](void* of) -> void* {
            auto& self = *static_cast<by_equal_threads*>(of);
            const std::lock_guard lock(self.mutex);
            ++self.count;
            return nullptr;
        };
        for (pthread_t& each : all) require(pthread_create(&each, nullptr, work, this) == 0);
        for (const pthread_t each : all) require(pthread_join(each, nullptr) == 0);
        require(count == static_cast<int>(equal));
    }
};

struct message_passing {
    static constexpr std::size_t workers = 3;
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    std::array<int, 2> seen{};

    void work(std::size_t i) {
        if (i == 0) {
            x.store(1, relaxed);
            y.store(1, release);
        } else if (i == 1) {
            seen[0] = y.exchange(2, acquire);
            seen[1] = x.load(relaxed);
        } else {
            x.fetch_add(2, relaxed);
            y.store(3, relaxed);
        }
    }
    [[nodiscard]] std::string seen_text() const { return std::to_string(seen[0]) + std::to_string(seen[1]); }
};

struct waits_for_a_condition {
    static constexpr std::size_t workers = 4;
    std::mutex mutex;
    std::condition_variable changed;
    int tickets = 0;
    int order = 0;

    void work(std::size_t i) {
        std::unique_lock lock(mutex);
        if (i < 2) {
            ++tickets;
            changed.notify_one();
        } else {
            changed.wait(lock, [this] { return tickets != 0; });
            --tickets;
            order = order * 10 + static_cast<int>(i);
        }
    }
    [[nodiscard]] std::string seen_text() const { return std::to_string(order); }
};

struct waits_for_an_atomic {
    static constexpr std::size_t workers = 3;
    std::atomic<int> turn{0};
    int last = 0;

    void work(std::size_t i) {
        const int mine = static_cast<int>(i);
        for (int now = turn.load(acquire); now < mine; now = turn.load(acquire)) turn.wait(now, acquire);
        last = mine;
        turn.fetch_add(1, release);
        turn.notify_all();
    }
    [[nodiscard]] std::string seen_text() const { return std::to_string(last); }
};

struct hands_over_memory {
    static constexpr std::size_t workers = 2;
    std::atomic<int*> box{nullptr};
    int seen = 0;

    void work(std::size_t i) {
        auto own = std::make_unique<int>(static_cast<int>(i) + 1);
        const std::unique_ptr<int> other(box.exchange(own.release(), std::memory_order_acq_rel));
        if (other) seen = *other;
    }
    ~hands_over_memory() { delete box.load(relaxed); }
    [[nodiscard]] std::string seen_text() const { return std::to_string(seen); }
};

struct races {
    static constexpr std::size_t workers = 2;
    int plain = 0;
    std::atomic<int> x{0};

    void work(std::size_t i) {
        if (x.exchange(static_cast<int>(i) + 1, acquire) == 0) ++plain;
        if (x.load(relaxed) == 1) ++plain;
    }
    [[nodiscard]] std::string seen_text() const { return std::to_string(plain); }
};

enum class place { first, last };

template <class Program, place Where>
struct with_threads_at : Program {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        if (Where == place::last) use_up_threads(all_created - Program::workers);
        in_threads(Program::workers, [this](std::size_t i) { Program::work(i); });
    }
    [[nodiscard]] std::string outcome() const { return Program::seen_text(); }
};

ORDEAL_SCENARIO("programs/threads_71", each_for_itself);
ORDEAL_SCENARIO("programs/threads_71_some_equal", by_equal_threads);
using handed_over_without_order = wrong<unordered_from_first_to_last, violation_kind::data_race>;
ORDEAL_SCENARIO("programs/threads_71_unordered", handed_over_without_order);
using never_woken = wrong<notified_once, violation_kind::deadlock>;
ORDEAL_SCENARIO("programs/threads_71_notified_once", never_woken);
ORDEAL_SCENARIO("too_many/threads_72", one_too_many);

using message_passing_by_first = with_threads_at<message_passing, place::first>;
using message_passing_by_last = with_threads_at<message_passing, place::last>;
ORDEAL_SCENARIO("first_threads/message_passing", message_passing_by_first);
ORDEAL_SCENARIO("last_threads/message_passing", message_passing_by_last);
using condition_of_first = with_threads_at<waits_for_a_condition, place::first>;
using condition_of_last = with_threads_at<waits_for_a_condition, place::last>;
ORDEAL_SCENARIO("first_threads/condition", condition_of_first);
ORDEAL_SCENARIO("last_threads/condition", condition_of_last);
using atomic_wait_of_first = with_threads_at<waits_for_an_atomic, place::first>;
using atomic_wait_of_last = with_threads_at<waits_for_an_atomic, place::last>;
ORDEAL_SCENARIO("first_threads/atomic_wait", atomic_wait_of_first);
ORDEAL_SCENARIO("last_threads/atomic_wait", atomic_wait_of_last);
using memory_of_first = with_threads_at<hands_over_memory, place::first>;
using memory_of_last = with_threads_at<hands_over_memory, place::last>;
ORDEAL_SCENARIO("first_threads/memory", memory_of_first);
ORDEAL_SCENARIO("last_threads/memory", memory_of_last);
using race_of_first = with_threads_at<races, place::first>;
using race_of_last = with_threads_at<races, place::last>;
ORDEAL_SCENARIO("first_threads/race", race_of_first);
ORDEAL_SCENARIO("last_threads/race", race_of_last);

}  // namespace

}  // namespace ordeal::model_tests
