// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mistake that is made with this ring, with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace examples {
namespace {

// "The producer reads nothing that the consumer wrote, so its load of front needs no order." But it writes over what the
// consumer reads.
struct front_relaxed {
    static constexpr auto about = "The producer loads front relaxed: it writes over a value that is being read.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"producer", "consumer"};
    std::atomic<std::size_t> back{0};
    std::atomic<std::size_t> front{0};
    int place = 0;
    int sum = 0;

    void push(int value) {
        const std::size_t at = back.load(std::memory_order_relaxed);
        if (at - front.load(std::memory_order_relaxed) == 1) return;
        place = value;
        back.store(at + 1, std::memory_order_release);
    }
    void pop() {
        const std::size_t at = front.load(std::memory_order_relaxed);
        if (back.load(std::memory_order_acquire) == at) return;
        sum += place;
        front.store(at + 1, std::memory_order_release);
    }
    void run(int thread) {
        if (thread == 0) {
            push(1);
            push(2);
        } else {
            pop();
        }
    }
};
ORDEAL_SCENARIO("spsc_ring_mistakes/front_relaxed", front_relaxed);

}  // namespace
}  // namespace examples
