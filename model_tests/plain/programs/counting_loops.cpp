// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look at something again and again, and are in another state each time: because they count, or take a lock.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <mutex>

namespace ordeal::model_tests {

namespace {

template <std::memory_order Publishing>
struct spins_are_counted {
    static constexpr auto threads = std::array{"sets", "counts"};
    std::atomic<bool> flag{false};
    int content = 0;
    int spins = 0;

    void run(int thread) {
        if (thread == 0) {
            content = 42;
            flag.store(true, Publishing);
        } else {
            while (!flag.load(std::memory_order_acquire)) ++spins;
            require(content == 42);
        }
    }
};

struct each_counts_until_the_other {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<std::atomic<bool>, 2> here{};
    std::array<int, 2> spins{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        here[me].store(true);
        while (!here[1 - me].load()) ++spins[me];
    }
};

template <int Attempts>
struct gives_up {
    static constexpr auto threads = std::array{"sets", "attempts"};
    std::atomic<bool> flag{false};
    int attempts = 0;

    void run(int thread) {
        if (thread == 0) {
            flag.store(true);
        } else {
            while (attempts < Attempts && !flag.load()) ++attempts;
        }
    }
    void finish() const { require(attempts <= Attempts); }
};

struct gives_up_too_early {
    static constexpr auto threads = std::array{"looks", "attempts"};
    std::atomic<bool> flag{false};
    int attempts = 0;

    void run(int thread) {
        if (thread == 0) {
            require(!flag.load());
        } else {
            while (attempts < 1000 && !flag.load()) ++attempts;
        }
    }
    void finish() const { require(attempts < 1000); }
};

// One counts until it is set, the other sets it when it has given up.
struct sets_after_attempts {
    static constexpr auto threads = std::array{"counts", "attempts"};
    std::atomic<bool> first{false};
    std::atomic<bool> second{false};
    int spins = 0;
    int attempts = 0;

    void run(int thread) {
        if (thread == 0) {
            while (!first.load()) ++spins;
        } else {
            while (attempts < 150 && !second.load()) ++attempts;
            first.store(true);
        }
    }
};

template <bool Locked>
struct polls_under_a_mutex {
    static constexpr auto threads = std::array{"polls", "sets"};
    std::mutex mutex;
    bool ready = false;

    void run(int thread) {
        if (thread == 0) {
            while (!looks_ready()) {
            }
        } else if (Locked) {
            const std::lock_guard lock(mutex);
            ready = true;
        } else {
            ready = true;
        }
    }

private:
    [[nodiscard]] bool looks_ready() {
        const std::lock_guard lock(mutex);
        return ready;
    }
};

// Spins for a while, then sleeps. Whoever announces that it sleeps has to look once more.
template <bool LooksAgain>
struct spins_then_sleeps {
    static constexpr auto threads = std::array{"sleeps", "wakes"};
    std::atomic<bool> flag{false};
    std::atomic<bool> sleeping{false};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 0; i < 64; ++i) {
                if (flag.load()) return;
            }
            sleeping.store(true);
            if (LooksAgain && flag.load()) return;
            sleeping.wait(true);
        } else {
            flag.store(true);
            if (!sleeping.load()) return;
            sleeping.store(false);
            sleeping.notify_one();
        }
    }
};

ORDEAL_SCENARIO("programs/counting_spins", spins_are_counted<std::memory_order_release>);
ORDEAL_SCENARIO("programs/counting_spins_relaxed",
                wrong<spins_are_counted<std::memory_order_relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/counting_both", each_counts_until_the_other);
ORDEAL_SCENARIO("programs/counting_few_attempts", gives_up<20>);
ORDEAL_SCENARIO("programs/counting_attempts", gives_up<1000>);
ORDEAL_SCENARIO("programs/counting_attempts_in_vain", wrong<gives_up_too_early, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/counting_sets_after_attempts", sets_after_attempts);
ORDEAL_SCENARIO("programs/polls_under_a_mutex", polls_under_a_mutex<true>);
ORDEAL_SCENARIO("programs/polls_without_a_mutex", wrong<polls_under_a_mutex<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/spins_then_sleeps", spins_then_sleeps<true>);
ORDEAL_SCENARIO("programs/spins_then_sleeps_for_ever", wrong<spins_then_sleeps<false>, violation_kind::deadlock>);

}  // namespace

}  // namespace ordeal::model_tests
