// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this stack, each with the violation that it must get.
#include "treiber_stack.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace examples {
namespace {

using ordeal::require;
using ordeal::violated;
using ordeal::violation_kind;

struct numbered : treiber_stack::node {
    explicit numbered(int with) : number(with) {}
    int number;
};

// Who pops owns the node, so he deletes it. Another one has just read its address.
struct delete_at_once {
    static constexpr auto about = "Who pops deletes the node, while the other reads which one is next.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"first", "second"};
    treiber_stack stack;

    delete_at_once() {
        stack.push(*new numbered(1));
        stack.push(*new numbered(2));
    }
    void run(int /*thread*/) { delete static_cast<numbered*>(stack.pop()); }
};
ORDEAL_SCENARIO("treiber_stack_mistakes/delete_at_once", delete_at_once);

// Nothing is freed, and next is atomic, so that nothing races. But who compares the top with a node does not know what lies
// below that node by now.
class never_frees {
public:
    struct node {
        int number;
        std::atomic<node*> next{nullptr};
    };
    void push(node& added) {
        node* top = top_.load();
        do {
            added.next.store(top);
        } while (!top_.compare_exchange_weak(top, &added));
    }
    int pop() {
        node* top = top_.load();
        while (top != nullptr && !top_.compare_exchange_weak(top, top->next.load())) {
        }
        return top == nullptr ? 0 : top->number;
    }

private:
    std::atomic<node*> top_{nullptr};
};

struct push_again {
    static constexpr auto about =
        "A node that was popped is pushed again: ABA, the one that was below it is popped twice.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::failed_requirement);
    static constexpr auto threads = std::array{"slow", "fast"};
    never_frees stack;
    never_frees::node below{1};
    never_frees::node top{2};
    int slow = 0;
    int fast = 0;

    push_again() {
        stack.push(below);
        stack.push(top);
    }
    void run(int thread) {
        if (thread == 0) {
            slow = stack.pop();
        } else {
            fast = stack.pop();
            if (stack.pop() != 0) fast = 3;
            stack.push(top);
        }
    }
    void finish() {
        const bool both = fast == 3 && slow == 2;
        if (both) require(stack.pop() == 0, "the node below was popped before");
    }
};
ORDEAL_SCENARIO("treiber_stack_mistakes/push_again", push_again);

// Who frees a node waits until nobody is between the load of the top and the read of its next. So no freed memory is read.
// But the compare-exchange comes after that, and compares an address alone.
class guards_the_read_alone {
public:
    struct node {
        int value;
        node* next = nullptr;
    };
    ~guards_the_read_alone() {
        for (node* rest = top_.load(); rest != nullptr;) delete std::exchange(rest, rest->next);
    }
    void push(int value) {
        auto* const added = new node{value, top_.load()};
        while (!top_.compare_exchange_strong(added->next, added)) {
        }
    }
    int pop() {
        for (;;) {
            readers_.fetch_add(1);
            node* top = top_.load();
            node* const next = top == nullptr ? nullptr : top->next;
            readers_.fetch_sub(1);
            if (top == nullptr) return 0;
            if (!top_.compare_exchange_strong(top, next)) continue;
            while (readers_.load() != 0) {
            }
            const int value = top->value;
            delete top;
            return value;
        }
    }

private:
    std::atomic<node*> top_{nullptr};
    std::atomic<int> readers_{0};
};

struct address_comes_back {
    static constexpr auto about = "No freed memory is read, but a new node lies where the old one was: ABA.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::use_after_free);
    static constexpr auto threads = std::array{"slow", "fast"};
    guards_the_read_alone stack;
    int slow = 0;
    int fast = 0;

    address_comes_back() {
        stack.push(1);
        stack.push(2);
    }
    void run(int thread) {
        if (thread == 0) {
            slow = stack.pop();
        } else {
            fast = stack.pop() + stack.pop();
            stack.push(4);
        }
    }
    void finish() { require(slow + fast + stack.pop() == 7, "each value is popped once"); }
};
ORDEAL_SCENARIO("treiber_stack_mistakes/address_comes_back", address_comes_back);

}  // namespace
}  // namespace examples
