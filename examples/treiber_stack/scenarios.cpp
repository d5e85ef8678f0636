// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reclaiming_stack.hpp"
#include "treiber_stack.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <optional>

namespace examples {
namespace {

using ordeal::require;

struct numbered : treiber_stack::node {
    int number = 0;
};

int popped_from(treiber_stack& stack) {
    auto* const found = static_cast<numbered*>(stack.pop());
    return found == nullptr ? 0 : found->number;
}

struct push_against_pop {
    static constexpr auto about = "Does who pops see what was written to the nodes before they were pushed?";
    static constexpr auto threads = std::array{"pushes", "pops"};
    treiber_stack stack;
    std::array<numbered, 2> nodes;
    std::array<int, 2> seen{};

    void run(int thread) {
        if (thread == 0) {
            nodes[0].number = 1;
            stack.push(nodes[0]);
            nodes[1].number = 2;
            stack.push(nodes[1]);
        } else {
            seen[0] = popped_from(stack);
            seen[1] = popped_from(stack);
        }
    }
    void finish() {
        require(seen[0] == 0 || seen[0] != seen[1], "no node is popped twice");
        const int rest = popped_from(stack) + popped_from(stack);
        require(seen[0] + seen[1] + rest == 3, "no node is lost");
    }
};
ORDEAL_SCENARIO("treiber_stack/push_against_pop", push_against_pop);

struct two_push_one_pops {
    static constexpr auto about = "Two push at once: is each node popped once?";
    static constexpr auto threads = std::array{"pushes", "pushes", "pops"};
    static constexpr auto interchangeable = std::array{0, 1};
    treiber_stack stack;
    std::array<numbered, 2> nodes;
    int seen = 0;

    void run(int thread) {
        if (thread == 2) {
            seen = popped_from(stack);
            return;
        }
        auto& mine = nodes.at(static_cast<std::size_t>(thread));
        mine.number = 1;
        stack.push(mine);
    }
    void finish() {
        const int rest = popped_from(stack) + popped_from(stack);
        require(seen + rest == 2, "each node is popped once");
    }
};
ORDEAL_SCENARIO("treiber_stack/two_push_one_pops", two_push_one_pops);

struct two_pop {
    static constexpr auto about = "Two pop at once, while a third thread pushes: does each get a node of its own?";
    static constexpr auto threads = std::array{"pushes", "pops", "pops"};
    static constexpr auto interchangeable = std::array{1, 2};
    treiber_stack stack;
    std::array<numbered, 2> nodes;
    std::array<int, 3> seen{};

    two_pop() {
        nodes[0].number = 1;
        stack.push(nodes[0]);
    }
    void run(int thread) {
        if (thread == 0) {
            nodes[1].number = 2;
            stack.push(nodes[1]);
        } else {
            seen.at(static_cast<std::size_t>(thread)) = popped_from(stack);
        }
    }
    void finish() { require(seen[1] + seen[2] + popped_from(stack) == 3, "each node is popped once"); }
};
ORDEAL_SCENARIO("treiber_stack/two_pop", two_pop);

struct reclaiming_push_against_pop {
    static constexpr auto about =
        "One pushes two values, another pops: does it see the values, and is every node freed once?";
    static constexpr auto threads = std::array{"pushes", "pops"};
    reclaiming_stack<int> stack;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            stack.push(1);
            stack.push(2);
        } else {
            seen = stack.pop().value_or(0);
        }
    }
    void finish() {
        require(seen + stack.pop().value_or(0) + stack.pop().value_or(0) == 3, "each value is popped once");
    }
};
ORDEAL_SCENARIO("reclaiming_stack/push_against_pop", reclaiming_push_against_pop);

struct reclaiming_two_pop {
    static constexpr auto about = "Two pop: is no node freed while the other one may look at it?";
    static constexpr auto threads = std::array{"pops", "pops"};
    static constexpr auto interchangeable = std::array{0, 1};
    reclaiming_stack<int> stack;
    std::array<int, 2> seen{};

    reclaiming_two_pop() {
        stack.push(1);
        stack.push(2);
    }
    void run(int thread) { seen.at(static_cast<std::size_t>(thread)) = stack.pop().value_or(0); }
    void finish() { require(seen[0] + seen[1] == 3, "each value is popped once"); }
};
ORDEAL_SCENARIO("reclaiming_stack/two_pop", reclaiming_two_pop);

// Popping twice and pushing a value brings the memory of the first node back as another one.
// A subject of its own: it has so many executions that an audit would take long.
struct memory_comes_back {
    static constexpr auto about = "One pops both values and pushes one, whose node may lie where the first was.";
    static constexpr auto threads = std::array{"slow", "fast"};
    reclaiming_stack<int> stack;
    int slow = 0;
    int fast = 0;

    memory_comes_back() {
        stack.push(1);
        stack.push(2);
    }
    void run(int thread) {
        if (thread == 0) {
            slow = stack.pop().value_or(0);
        } else {
            fast = stack.pop().value_or(0);
            fast += stack.pop().value_or(0);
            stack.push(4);
        }
    }
    void finish() { require(slow + fast + stack.pop().value_or(0) == 7, "each value is popped once"); }
};
ORDEAL_SCENARIO("reclaiming_stack_reuse/memory_comes_back", memory_comes_back);

}  // namespace
}  // namespace examples
