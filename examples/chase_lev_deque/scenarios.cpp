// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chase_lev_deque.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace examples {
namespace {

using ordeal::require;

/// Elements are pointers to plain data, so that an element handed over too early is a data race.
struct work {
    int id = 0;
    int times_run = 0;

    void run() { ++times_run; }
};

template <int Elements, std::size_t Capacity>
struct deque_scenario {
    chase_lev_deque<work*> deque{Capacity};
    std::array<work, Elements> all{};

    void push(int element) {
        all.at(static_cast<std::size_t>(element)).id = element + 1;
        deque.push(&all.at(static_cast<std::size_t>(element)));
    }
    static void run(std::optional<work*> element) {
        if (!element) return;
        require((*element)->id != 0, "the element is seen as it was pushed");
        (*element)->run();
    }
    void finish() {
        while (const auto left = deque.take()) (*left)->run();
        for (const work& each : all) require(each.times_run == 1, "each element is run once");
    }
};

struct two_elements : deque_scenario<2, 2> {
    static constexpr auto about =
        "The owner pushes two elements and takes one, a thief steals twice: each is run once.";
    static constexpr auto threads = std::array{"owner", "thief"};

    void run(int thread) {
        if (thread == 0) {
            push(0);
            push(1);
            deque_scenario::run(deque.take());
        } else {
            deque_scenario::run(deque.steal());
            deque_scenario::run(deque.steal());
        }
    }
};
ORDEAL_SCENARIO("chase_lev_deque/two_elements", two_elements);

struct slot_used_again : deque_scenario<2, 1> {
    static constexpr auto about = "The owner pushes into the slot of an element that a thief steals, or grows.";
    static constexpr auto threads = std::array{"owner", "thief"};

    void run(int thread) {
        if (thread == 0) {
            push(0);
            push(1);
        } else {
            deque_scenario::run(deque.steal());
        }
    }
};
ORDEAL_SCENARIO("chase_lev_deque/slot_used_again", slot_used_again);

struct pushes_again : deque_scenario<2, 2> {
    static constexpr auto about = "The owner pushes again after it took the last element, or found that a thief did.";
    static constexpr auto threads = std::array{"owner", "thief"};

    void run(int thread) {
        if (thread == 0) {
            push(0);
            deque_scenario::run(deque.take());
            push(1);
        } else {
            deque_scenario::run(deque.steal());
        }
    }
};
ORDEAL_SCENARIO("chase_lev_deque/pushes_again", pushes_again);

struct two_thieves : deque_scenario<1, 2> {
    static constexpr auto about =
        "The owner takes the last element while two thieves steal it: one of the three has it.";
    static constexpr auto threads = std::array{"owner", "thief", "thief"};
    static constexpr auto interchangeable = std::array{1, 2};

    void run(int thread) {
        if (thread == 0) {
            push(0);
            deque_scenario::run(deque.take());
        } else {
            deque_scenario::run(deque.steal());
        }
    }
};
ORDEAL_SCENARIO("chase_lev_deque/two_thieves", two_thieves);

}  // namespace
}  // namespace examples
