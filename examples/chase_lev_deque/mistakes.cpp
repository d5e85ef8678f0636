// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The deque of 2005 was written for sequential consistency. Taken over with C++ atomics, but without the fence in
// take(), the owner may look at top before thieves can see that bottom is smaller.
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace examples {
namespace {

// Positive numbers; zero is none. Four slots are more than the scenario needs.
class deque_without_fence_in_take {
public:
    void push(int value) {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        slot(bottom).store(value, std::memory_order_relaxed);
        bottom_.store(bottom + 1, std::memory_order_release);
    }
    [[nodiscard]] int take() {
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        bottom_.store(bottom, std::memory_order_release);
        // Here the fence is missing.
        std::int64_t top = top_.load(std::memory_order_acquire);
        int result = 0;
        if (top <= bottom) result = slot(bottom).load(std::memory_order_relaxed);
        if (top < bottom) return result;
        if (top == bottom && !top_.compare_exchange_strong(top, top + 1)) result = 0;
        bottom_.store(bottom + 1, std::memory_order_release);
        return result;
    }
    [[nodiscard]] int steal() {
        std::int64_t top = top_.load(std::memory_order_acquire);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (top >= bottom_.load(std::memory_order_acquire)) return 0;
        const int result = slot(top).load(std::memory_order_relaxed);
        return top_.compare_exchange_strong(top, top + 1) ? result : 0;
    }

private:
    std::atomic<int>& slot(std::int64_t index) { return slots_[static_cast<std::size_t>(index) % slots_.size()]; }

    std::atomic<std::int64_t> top_{0};
    std::atomic<std::int64_t> bottom_{0};
    std::array<std::atomic<int>, 4> slots_{};
};

struct take_without_fence {
    static constexpr auto about = "The owner takes the newest of two elements while a thief steals both.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::failed_requirement);
    static constexpr auto threads = std::array{"owner", "thief"};

    deque_without_fence_in_take deque;
    int taken = 0;
    std::array<int, 2> stolen{};

    void run(int thread) {
        if (thread == 0) {
            deque.push(1);
            deque.push(2);
            taken = deque.take();
        } else {
            for (int& each : stolen) each = deque.steal();
        }
    }
    void finish() const {
        ordeal::require(taken == 0 || (taken != stolen[0] && taken != stolen[1]), "no element is taken twice");
    }
};
ORDEAL_SCENARIO("chase_lev_deque_mistakes/take_without_fence", take_without_fence);

}  // namespace
}  // namespace examples
