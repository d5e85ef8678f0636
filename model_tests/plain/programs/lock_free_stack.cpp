// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks without locks.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace ordeal::model_tests {

namespace {

struct node {
    int value = 0;
    node* next = nullptr;
};

// Treiber's stack, of nodes that outlive it.
template <std::memory_order Push, std::memory_order Pop>
class stack_of_nodes {
public:
    void push(node& added) noexcept {
        added.next = head_.load(relaxed);
        while (!head_.compare_exchange_weak(added.next, &added, Push, relaxed)) {
        }
    }
    [[nodiscard]] node* pop() noexcept {
        node* top = head_.load(Pop);
        while (top != nullptr && !head_.compare_exchange_weak(top, top->next, Pop, Pop)) {
        }
        return top;
    }

private:
    std::atomic<node*> head_{nullptr};
};

template <std::memory_order Push, std::memory_order Pop>
struct pushed_and_popped {
    static constexpr auto threads = std::array{"pushes", "pops"};
    stack_of_nodes<Push, Pop> stack;
    std::array<node, 2> nodes{node{1, nullptr}, node{2, nullptr}};
    std::array<int, 2> seen{};

    void run(int thread) {
        if (thread == 0) {
            for (node& each : nodes) stack.push(each);
        } else {
            for (int& each : seen) {
                const node* const found = stack.pop();
                each = found == nullptr ? 0 : found->value;
            }
        }
    }
    void finish() const { require(seen[0] == 0 || seen[0] != seen[1]); }
};

// Two pop: each node comes out once.
struct popped_by_two {
    static constexpr auto threads = std::array{"pops", "pops"};
    stack_of_nodes<release, acquire> stack;
    std::array<node, 2> nodes{node{1, nullptr}, node{2, nullptr}};
    std::array<node*, 2> seen{};

    popped_by_two() {
        for (node& each : nodes) stack.push(each);
    }
    void run(int thread) { seen[static_cast<std::size_t>(thread)] = stack.pop(); }
    void finish() const { require(seen[0] != nullptr && seen[1] != nullptr && seen[0] != seen[1]); }
};

// Who pops deletes: the other one may be about to look at what comes next.
struct popped_and_deleted {
    static constexpr auto threads = std::array{"pops", "pops"};
    stack_of_nodes<release, acquire> stack;

    popped_and_deleted() {
        stack.push(*new node);
        stack.push(*new node);
    }
    void run(int /*thread*/) { delete stack.pop(); }
};

// Nodes that come back: who was slow takes the old head for the same stack (ABA).
struct popped_and_pushed_again {
    static constexpr auto threads = std::array{"slow", "fast"};
    struct shared_node {
        std::atomic<shared_node*> next{nullptr};
    };
    std::array<shared_node, 2> nodes;
    std::atomic<shared_node*> head{nullptr};
    shared_node* taken = nullptr;

    popped_and_pushed_again() {
        nodes[1].next = &nodes[0];
        head = &nodes[1];
    }
    void run(int thread) {
        if (thread == 0) {
            (void)pop();
            return;
        }
        shared_node* const top = pop();
        taken = pop();
        if (top == nullptr) return;
        top->next.store(head.load());
        head.store(top);
    }
    void finish() const {
        if (taken == &nodes[0]) require(head.load() != taken, "what was taken is in the stack");
    }

private:
    [[nodiscard]] shared_node* pop() noexcept {
        shared_node* top = head.load();
        while (top != nullptr && !head.compare_exchange_strong(top, top->next.load())) {
        }
        return top;
    }
};

ORDEAL_SCENARIO("programs/stack", pushed_and_popped<release, acquire>);
ORDEAL_SCENARIO("programs/stack_push_relaxed", wrong<pushed_and_popped<relaxed, acquire>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/stack_pop_relaxed", wrong<pushed_and_popped<release, relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/stack_popped_by_two", popped_by_two);
ORDEAL_SCENARIO("programs/stack_popped_and_deleted",
                wrong<popped_and_deleted, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/stack_pushed_again", wrong<popped_and_pushed_again, violation_kind::failed_requirement>);

}  // namespace

}  // namespace ordeal::model_tests
