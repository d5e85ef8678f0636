// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "michael_scott_queue.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace examples {
namespace {

using ordeal::require;

struct push_against_pop {
    static constexpr auto about = "One pushes, one pops: is the value visible, and is no node freed too early?";
    static constexpr auto threads = std::array{"pushes", "pops"};
    michael_scott_queue<int, 2> queue;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            queue.push(0, 1);
        } else {
            seen = queue.pop(1).value_or(0);
        }
    }
    void finish() { require(seen + queue.pop(0).value_or(0) == 1, "each value is popped once"); }
    [[nodiscard]] int outcome() const { return seen; }
};
ORDEAL_SCENARIO("michael_scott_queue/push_against_pop", push_against_pop);

struct two_push {
    static constexpr auto about = "Two push at once: are both values there, each once?";
    static constexpr auto threads = std::array{"pushes", "pushes"};
    static constexpr auto interchangeable = std::array{0, 1};
    michael_scott_queue<int, 2> queue;

    void run(int thread) { queue.push(static_cast<std::size_t>(thread), 1); }
    void finish() {
        require(queue.pop(0).has_value() && queue.pop(0).has_value(), "no value is lost");
        require(!queue.pop(0), "no value is there twice");
    }
};
ORDEAL_SCENARIO("michael_scott_queue/two_push", two_push);

// Not interchangeable: the hazard pointers are looked through in the order of their threads.
struct two_pop {
    static constexpr auto about = "Two pop at once: does each get a value of its own, and is no node freed too early?";
    static constexpr auto threads = std::array{"pops", "pops"};
    michael_scott_queue<int, 2> queue;
    std::array<int, 2> seen{};

    two_pop() {
        queue.push(0, 1);
        queue.push(0, 2);
    }
    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        seen.at(me) = queue.pop(me).value_or(0);
    }
    void finish() { require(seen[0] + seen[1] == 3, "each value is popped once"); }
};
ORDEAL_SCENARIO("michael_scott_queue/two_pop", two_pop);

struct three_push {
    static constexpr auto about = "Three push: one may find at the tail what the second has put there of the third.";
    static constexpr auto threads = std::array{"pushes", "pushes", "pushes"};
    static constexpr auto interchangeable = std::array{0, 1, 2};
    michael_scott_queue<int, 3> queue;

    void run(int thread) { queue.push(static_cast<std::size_t>(thread), 1); }
    void finish() {
        for (int i = 0; i < 3; ++i) require(queue.pop(0).has_value(), "no value is lost");
        require(!queue.pop(0), "no value is there twice");
    }
};
ORDEAL_SCENARIO("michael_scott_queue/three_push", three_push);

struct address_comes_back {
    static constexpr auto about =
        "A node that was freed comes back as another one, while a thread is about to protect the first.";
    static constexpr auto threads = std::array{"slow", "fast"};
    michael_scott_queue<int, 2> queue;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            queue.push(0, 4);
        } else {
            queue.push(1, 1);
            seen = queue.pop(1).value_or(0);
            queue.push(1, 2);
        }
    }
    void finish() {
        int sum = seen;
        while (const auto value = queue.pop(0)) sum += *value;
        require(sum == 7, "each value is popped once");
    }
};
ORDEAL_SCENARIO("michael_scott_queue/address_comes_back", address_comes_back);

}  // namespace
}  // namespace examples
