// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spsc_ring.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <memory>

namespace examples {
namespace {

using ordeal::require;

struct in_order {
    static constexpr auto about = "Three values through two places: does each arrive once, and in their order?";
    static constexpr auto threads = std::array{"producer", "consumer"};
    spsc_ring<int, 2> ring;
    int pushed = 0;
    int popped = 0;

    void run(int thread) {
        for (int i = 0; i < 3; ++i) {
            if (thread == 0) {
                if (ring.push(pushed + 1)) ++pushed;
            } else if (const auto value = ring.pop()) {
                require(*value == ++popped, "values arrive in their order");
            }
        }
    }
    void finish() {
        while (const auto value = ring.pop()) require(*value == ++popped, "values arrive in their order");
        require(popped == pushed, "each value arrives");
    }
    [[nodiscard]] int outcome() const { return pushed; }
};
ORDEAL_SCENARIO("spsc_ring/in_order", in_order);

struct what_values_own {
    static constexpr auto about = "Values that own memory: is what they point to visible, and freed once?";
    static constexpr auto threads = std::array{"producer", "consumer"};
    spsc_ring<std::unique_ptr<int>, 1> ring;

    void run(int thread) {
        for (int i = 0; i < 2; ++i) {
            if (thread == 0) {
                if (!ring.push(std::make_unique<int>(42))) return;
            } else if (const auto value = ring.pop()) {
                require(**value == 42, "what the value points to is visible");
            }
        }
    }
};
ORDEAL_SCENARIO("spsc_ring/what_values_own", what_values_own);

}  // namespace
}  // namespace examples
