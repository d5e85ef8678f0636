// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scenarios that hold: a plain class, a template over a policy, one with fences, one that must be violated.
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <new>
#include <string>

#if !defined(SAID_BY_LIBRARY) || !defined(SAID_BY_OPTION) || defined(NDEBUG)
#error "what the user of the suite asked for is not here"
#endif

namespace {

struct message {
    static constexpr auto threads = std::array{"sender", "receiver"};
    static constexpr auto outcomes =
        std::array{ordeal::outcome_grade{"nothing", ordeal::grade::acceptable, "too early"},
                   ordeal::outcome_grade{"42", ordeal::grade::acceptable, "taken"}};

    void run(int thread) {
        if (thread == 0) {
            content = std::make_unique<int>(42);
            full.store(true, std::memory_order_release);
        } else if (full.load(std::memory_order_acquire)) {
            taken = *content;
        }
    }
    [[nodiscard]] std::string outcome() const { return taken == 0 ? "nothing" : std::to_string(taken); }

    std::unique_ptr<int> content;
    std::atomic<bool> full{false};
    int taken = 0;
};

template <ordeal::atomic_policy P>
struct one_wins {
    static constexpr auto threads = std::array{"first", "second"};

    void run(int thread) { won[thread] = taken.exchange(1, std::memory_order_relaxed) == 0; }
    void finish() { ordeal::require(won[0] != won[1]); }

    typename P::template atomic<int> taken{0};
    bool won[2]{};
};

struct fenced : message {
    void run(int thread) {
        if (thread == 0) {
            content = std::make_unique<int>(42);
            std::atomic_thread_fence(std::memory_order_release);
            full.store(true, std::memory_order_relaxed);
        } else if (full.load(std::memory_order_relaxed)) {
            std::atomic_thread_fence(std::memory_order_acquire);
            taken = *content;
        }
    }
};

struct out_of_memory {
    static constexpr auto threads = std::array{"only"};

    void run(int) {
        ordeal::fail_allocation(1);
        try {
            kept = std::make_unique<int>(1);
        } catch (const std::bad_alloc&) {
            seen.store(true, std::memory_order_relaxed);
        }
    }
    void finish() { ordeal::require(seen.load(std::memory_order_relaxed) && !kept); }

    std::unique_ptr<int> kept;
    std::atomic<bool> seen{false};
};

struct planned {
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);

    void run(int thread) { value = thread; }

    int value = 0;
};

ORDEAL_SCENARIO("message \"quoted\"\\", message);
ORDEAL_SCENARIO("one_wins", one_wins);
ORDEAL_SCENARIO("fenced", fenced);
ORDEAL_SCENARIO("out of memory", out_of_memory);
ORDEAL_SCENARIO("planned", planned);

}  // namespace
