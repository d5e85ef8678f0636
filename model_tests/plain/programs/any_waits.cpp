// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits on a std::condition_variable_any, which take and give back a mutex of the library's own each time that they end.
#include "model_tests/plain/programs/programs.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>

namespace ordeal::model_tests {

namespace {

enum class sets : std::uint8_t { locked, unlocked, data_after };

template <sets How>
struct waits_for_a_flag {
    static constexpr auto threads = std::array{"sets", "waits"};
    std::mutex mutex;
    std::condition_variable_any changed;
    std::atomic<bool> set{false};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            if (How == sets::unlocked) {
                set.store(true, relaxed);
            } else {
                const std::scoped_lock lock(mutex);
                set.store(true, relaxed);
            }
            if (How == sets::data_after) data = 1;
            changed.notify_one();
        } else {
            std::unique_lock lock(mutex);
            while (!set.load(relaxed)) changed.wait(lock);
            require(data == 0);
        }
    }
};

// Whoever is woken, the other one may have been meant.
struct one_notification_for_two {
    static constexpr auto threads = std::array{"sets", "waits", "waits"};
    std::mutex mutex;
    std::condition_variable_any changed;
    bool set = false;

    void run(int thread) {
        std::unique_lock lock(mutex);
        if (thread == 0) {
            set = true;
            changed.notify_one();
        } else {
            changed.wait(lock, [this] { return set; });
        }
    }
};

// A wait that ends spuriously, finds nothing and begins again has locked its mutex meanwhile.
struct lock_is_seen {
    struct noted_mutex {
        std::mutex mutex;
        std::atomic<bool> locked{false};

        void lock() {
            mutex.lock();
            locked = true;
        }
        void unlock() {
            locked = false;
            mutex.unlock();
        }
    };
    static constexpr auto threads = std::array{"looks", "waits"};
    noted_mutex mutex;
    std::condition_variable_any changed;
    bool waits = false;
    bool set = false;
    bool seen = false;

    void run(int thread) {
        if (thread == 0) {
            if (is_waited_for()) seen = mutex.locked;
            const std::scoped_lock lock(mutex);
            set = true;
            changed.notify_one();
        } else {
            std::unique_lock lock(mutex);
            waits = true;
            changed.wait(lock, [this] { return set; });
        }
    }
    void finish() const { require(!seen); }

private:
    bool is_waited_for() {
        const std::scoped_lock lock(mutex);
        return waits;
    }
};

struct stops_a_worker {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::mutex mutex;
        std::condition_variable_any changed;
        int tasks = 0;
        const std::jthread worker([&](std::stop_token stop) {
            for (;;) {
                std::unique_lock lock(mutex);
                if (!changed.wait(lock, stop, [&] { return tasks > 0; })) return;
                --tasks;
            }
        });
        {
            const std::scoped_lock lock(mutex);
            tasks = 1;
        }
        changed.notify_one();
    }
};

}  // namespace

ORDEAL_SCENARIO("programs/any_wait/flag", waits_for_a_flag<sets::locked>);
ORDEAL_SCENARIO("programs/any_wait/worker", stops_a_worker);
ORDEAL_SCENARIO("programs/any_wait/flag_unlocked", wrong<waits_for_a_flag<sets::unlocked>, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/any_wait/data_after", wrong<waits_for_a_flag<sets::data_after>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/any_wait/one_for_two", wrong<one_notification_for_two, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/any_wait/lock_is_seen", wrong<lock_is_seen, violation_kind::failed_requirement>);

}  // namespace ordeal::model_tests
