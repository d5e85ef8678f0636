// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this ring, each with the violation that it must get.
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

// The ring with one place: after the n-th push its number is n + 1, and that is also "free for push n + 1".
class one_place {
public:
    bool try_push(int value) {
        std::size_t at = back_.load();
        if (turn_.load() != at || !back_.compare_exchange_strong(at, at + 1)) return false;
        value_ = value;
        turn_.store(at + 1);
        return true;
    }
    int try_pop() {
        std::size_t at = front_.load();
        if (turn_.load() != at + 1 || !front_.compare_exchange_strong(at, at + 1)) return 0;
        const int value = value_;
        turn_.store(at + 1);
        return value;
    }

private:
    std::atomic<std::size_t> back_{0};
    std::atomic<std::size_t> front_{0};
    std::atomic<std::size_t> turn_{0};
    int value_ = 0;
};

struct capacity_of_one {
    static constexpr auto about = "A ring of one place: a push writes over a value that is being read.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"pushes", "pops"};
    one_place ring;

    void run(int thread) {
        if (thread == 0) {
            ring.try_push(1);
            ring.try_push(2);
        } else {
            ring.try_pop();
        }
    }
};
ORDEAL_SCENARIO("mpmc_ring_mistakes/capacity_of_one", capacity_of_one);

// The counter is advanced with acq_rel, and so the numbers of the places are left relaxed. But a popping thread reads the
// number of the place, and the counter of those who pop; never that of those who push.
struct order_at_the_counter {
    static constexpr auto about =
        "acq_rel at the counters, relaxed at the places: the value is read before it is there.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"pushes", "pops"};
    std::atomic<std::size_t> back{0};
    std::atomic<std::size_t> front{0};
    std::atomic<std::size_t> turn{0};
    int value = 0;

    void run(int thread) {
        std::size_t at = 0;
        if (thread == 0) {
            if (turn.load(std::memory_order_relaxed) != at ||
                !back.compare_exchange_strong(at, 1, std::memory_order_acq_rel)) {
                return;
            }
            value = 42;
            turn.store(1, std::memory_order_relaxed);
        } else if (turn.load(std::memory_order_relaxed) == 1 &&
                   front.compare_exchange_strong(at, 1, std::memory_order_acq_rel)) {
            ordeal::require(value == 42, "the value has arrived");
        }
    }
};
ORDEAL_SCENARIO("mpmc_ring_mistakes/order_at_the_counter", order_at_the_counter);

}  // namespace
}  // namespace examples
