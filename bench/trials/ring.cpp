// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../examples/mpmc_ring/mpmc_ring.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace ordeal::bench {

namespace {

struct two_and_two {
    static constexpr auto about = "Two threads push two values each, two pop two each.";
    static constexpr auto threads = std::array{"pushes", "pushes", "pops", "pops"};
    examples::mpmc_ring<int, 4> ring;
    std::array<int, 4> seen{};

    void run(int thread) {
        for (int i = 0; i < 2; ++i) {
            const int which = 2 * (thread % 2) + i;
            if (thread < 2) {
                require(ring.try_push(1 << which), "there is room");
            } else {
                seen.at(static_cast<std::size_t>(which)) = ring.try_pop().value_or(0);
            }
        }
    }
    void finish() {
        int sum = 0;
        for (const int each : seen) sum += each;
        while (const auto value = ring.try_pop()) sum += *value;
        require(sum == 15, "each value comes out once");
    }
};
ORDEAL_SCENARIO("ring/two_and_two", two_and_two);

}  // namespace

}  // namespace ordeal::bench
