// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mpmc_ring.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace examples {
namespace {

using ordeal::require;

// Values are powers of two, so that a sum says which there were. Nobody races on the int itself if all is well.
template <int Values>
struct sums {
    mpmc_ring<int, 2> ring;
    std::array<int, 3> pushed{};
    std::array<int, 3> popped{};

    void push(int thread, int value) {
        if (ring.try_push(value)) pushed.at(static_cast<std::size_t>(thread)) += value;
    }
    void pop(int thread) { popped.at(static_cast<std::size_t>(thread)) += ring.try_pop().value_or(0); }
    void finish() {
        int rest = 0;
        while (const auto value = ring.try_pop()) rest += *value;
        const int in = pushed[0] + pushed[1] + pushed[2];
        require(in == popped[0] + popped[1] + popped[2] + rest, "each value comes out once");
    }
};

struct two_push {
    static constexpr auto about = "Two push at once: does each value come out once?";
    static constexpr auto threads = std::array{"pushes", "pushes"};
    static constexpr auto interchangeable = std::array{0, 1};
    mpmc_ring<int, 2> ring;

    void run(int /*thread*/) { require(ring.try_push(1), "there is room"); }
    void finish() {
        require(!ring.try_push(1), "the ring is full");
        require(ring.try_pop() && ring.try_pop() && !ring.try_pop(), "both come out");
    }
};
ORDEAL_SCENARIO("mpmc_ring/two_push", two_push);

struct two_pop : sums<2> {
    static constexpr auto about = "Two pop at once, from a ring that is full: does each get a value of its own?";
    static constexpr auto threads = std::array{"pops", "pops"};
    two_pop() {
        push(2, 1);
        push(2, 2);
    }
    void run(int thread) { pop(thread); }
    void finish() {
        sums::finish();
        require(popped[0] != popped[1], "each gets a value of its own");
    }
};
ORDEAL_SCENARIO("mpmc_ring/two_pop", two_pop);

struct round_the_ring : sums<3> {
    static constexpr auto about = "Three values through two places: is a place read before it is written again?";
    static constexpr auto threads = std::array{"pushes", "pops"};
    void run(int thread) {
        for (int i = 0; i < 3; ++i) {
            if (thread == 0) {
                push(thread, 1 << i);
            } else if (i < 2) {
                pop(thread);
            }
        }
    }
};
ORDEAL_SCENARIO("mpmc_ring/round_the_ring", round_the_ring);

struct push_against_push_and_pop : sums<3> {
    static constexpr auto about = "Two push, one of them into the place that a third thread frees.";
    static constexpr auto threads = std::array{"pushes", "pushes", "pops"};
    push_against_push_and_pop() { push(2, 1); }
    void run(int thread) {
        if (thread == 2) {
            pop(thread);
        } else {
            push(thread, 2 << thread);
        }
    }
};
ORDEAL_SCENARIO("mpmc_ring/push_against_push_and_pop", push_against_push_and_pop);

}  // namespace
}  // namespace examples
