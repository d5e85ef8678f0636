// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../examples/michael_scott_queue/hazard_pointers.hpp"
#include "../../examples/michael_scott_queue/michael_scott_queue.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace ordeal::bench {

namespace {

struct read_against_replace {
    static constexpr auto about = "Two threads read twice under hazard pointers what a third one replaces twice.";
    static constexpr auto threads = std::array{"reads", "reads", "replaces"};
    std::atomic<int*> shared{new int(1)};
    examples::hazard_pointers<int, 3, 1> hazards;
    std::array<int, 2> seen{};

    ~read_against_replace() { delete shared.load(std::memory_order_relaxed); }
    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        for (int i = 0; i < 2; ++i) {
            if (thread == 2) {
                hazards.retire(me, shared.exchange(new int(i + 2), std::memory_order_acq_rel));
            } else {
                seen.at(me) = *hazards.protect(me, 0, shared);
                hazards.clear(me);
            }
        }
    }
    void finish() {
        for (const int each : seen) require(1 <= each && each <= 3);
    }
};
ORDEAL_SCENARIO("hazard_pointers/read_against_replace", read_against_replace);

struct queue {
    static constexpr auto about = "A queue with hazard pointers: two threads push a value, and pop one, twice.";
    static constexpr auto threads = std::array{"pushes, pops", "pushes, pops"};
    examples::michael_scott_queue<int, 2> values;
    std::array<int, 2> sums{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        for (int i = 0; i < 2; ++i) {
            values.push(me, 1 << (2 * thread + i));
            sums.at(me) += values.pop(me).value_or(0);
        }
    }
    void finish() {
        int sum = sums[0] + sums[1];
        while (const auto value = values.pop(0)) sum += *value;
        require(sum == 15, "each value is popped once");
    }
};
ORDEAL_SCENARIO("hazard_pointers/queue", queue);

}  // namespace

}  // namespace ordeal::bench
