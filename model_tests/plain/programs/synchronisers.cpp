// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// latch, barrier, semaphores, and waiting for an atomic.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>

namespace ordeal::model_tests {

namespace {

template <bool WritesFirst>
struct latch_collects {
    static constexpr auto threads = std::array{"worker", "worker", "collector"};
    std::latch done{2};
    std::array<int, 2> results{};
    int sum = 0;

    void run(int thread) {
        if (thread < 2) {
            int& result = results[static_cast<std::size_t>(thread)];
            if (WritesFirst) result = thread + 1;
            done.count_down();
            if (!WritesFirst) result = thread + 1;
        } else {
            done.wait();
            sum = results[0] + results[1];
        }
    }
    void finish() const { require(sum == 3); }
};

// Each writes before the barrier and reads the other's after it.
template <bool Waits>
struct barrier_exchanges {
    static constexpr auto threads = std::array{"worker", "worker"};
    std::barrier<> barrier{2};
    std::array<int, 2> results{};
    std::array<int, 2> seen{2, 1};

    void run(int thread) {
        const auto self = static_cast<std::size_t>(thread);
        results[self] = thread + 1;
        if (Waits) {
            barrier.arrive_and_wait();
        } else {
            (void)barrier.arrive();
        }
        seen[self] = results[1 - self];
    }
    void finish() const { require(seen[0] == 2 && seen[1] == 1); }
};

struct barrier_completes {
    static constexpr auto threads = std::array{"worker", "worker"};
    struct count_up {
        int* phases;
        void operator()() const noexcept { ++*phases; }
    };
    int phases = 0;
    std::barrier<count_up> barrier{2, count_up{&phases}};

    void run(int /*thread*/) {
        barrier.arrive_and_wait();
        require(phases == 1);
    }
};

// As many may come in as there are permits.
template <int Permits>
struct semaphore_counter {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::counting_semaphore<2> permits{Permits};
    int counter = 0;

    void run(int /*thread*/) {
        permits.acquire();
        ++counter;
        permits.release();
    }
    void finish() const { require(counter == 2); }
};

// Who acquires at once and is overtaken may find that there is one left.
template <int First, int Second>
struct semaphore_permits_released {
    static constexpr auto threads = std::array{"acquires", "acquires", "releases"};
    std::counting_semaphore<3> permits{0};

    void run(int thread) {
        if (thread != 2) return permits.acquire();
        permits.release(First);
        if (Second != 0) permits.release(Second);
    }
};

template <bool Releases>
struct semaphore_handover {
    static constexpr auto threads = std::array{"producer", "consumer"};
    std::binary_semaphore full{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            if (Releases) full.release();
        } else {
            full.acquire();
            require(data == 42);
        }
    }
};

enum class waking { right, silent, too_early };

template <waking How, class Word>
struct atomic_waits {
    static constexpr auto threads = std::array{"setter", "waiter"};
    std::atomic<Word> word{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 42;
            if (How == waking::too_early) word.notify_one();
            word.store(1, std::memory_order_release);
            if (How == waking::right) word.notify_one();
        } else {
            word.wait(0, std::memory_order_acquire);
            require(data == 42);
        }
    }
};

template <bool All>
struct atomic_waits_for_two {
    static constexpr auto threads = std::array{"setter", "waiter", "waiter"};
    static constexpr auto interchangeable = std::array{1, 2};
    std::atomic<int> word{0};

    void run(int thread) {
        if (thread != 0) return word.wait(0);
        word.store(1);
        if (All) {
            word.notify_all();
        } else {
            word.notify_one();
        }
    }
};

template <class Program>
using stuck = wrong<Program, violation_kind::deadlock>;

ORDEAL_SCENARIO("programs/latch", latch_collects<true>);
ORDEAL_SCENARIO("programs/latch_written_after", wrong<latch_collects<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/barrier", barrier_exchanges<true>);
ORDEAL_SCENARIO("programs/barrier_not_waited", wrong<barrier_exchanges<false>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/barrier_completion", barrier_completes);
ORDEAL_SCENARIO("programs/semaphore_as_lock", semaphore_counter<1>);
ORDEAL_SCENARIO("programs/semaphore_of_two_as_lock", wrong<semaphore_counter<2>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/semaphore_handover", semaphore_handover<true>);
ORDEAL_SCENARIO("programs/semaphore_released_twice", semaphore_permits_released<1, 1>);
ORDEAL_SCENARIO("programs/semaphore_released_for_two", semaphore_permits_released<2, 0>);
ORDEAL_SCENARIO("programs/semaphore_released_for_one", stuck<semaphore_permits_released<1, 0>>);
ORDEAL_SCENARIO("programs/semaphore_never_released", stuck<semaphore_handover<false>>);
ORDEAL_SCENARIO("programs/wait_int", atomic_waits<waking::right, int>);
ORDEAL_SCENARIO("programs/wait_long", atomic_waits<waking::right, long>);
ORDEAL_SCENARIO("programs/wait_char", atomic_waits<waking::right, char>);
ORDEAL_SCENARIO("programs/wait_never_notified", stuck<atomic_waits<waking::silent, int>>);
ORDEAL_SCENARIO("programs/wait_notified_too_early", stuck<atomic_waits<waking::too_early, int>>);
ORDEAL_SCENARIO("programs/wait_for_two", atomic_waits_for_two<true>);
ORDEAL_SCENARIO("programs/wait_for_two_one_notified", stuck<atomic_waits_for_two<false>>);

}  // namespace

}  // namespace ordeal::model_tests
