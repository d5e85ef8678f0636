// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace examples {

/// A stack that frees its nodes itself: a node that was popped is retired, and whoever is the last to leave pop() frees what
/// was retired before. Any thread may push and pop; nobody waits. While threads are in pop() all the time, memory grows.
///
/// What a thread did before push() of a value happens before what a thread does that pops it. No other thread may use the
/// stack while it is destroyed.
///
/// Source: R. K. Treiber, "Systems programming: coping with parallelism" (IBM RJ 5118, 1986); counting those in pop() as in
/// A. Williams, "C++ Concurrency in Action" (2012), chapter 7.
template <class T>
class reclaiming_stack {
public:
    reclaiming_stack() = default;
    reclaiming_stack(const reclaiming_stack&) = delete;
    reclaiming_stack& operator=(const reclaiming_stack&) = delete;
    ~reclaiming_stack() {
        // order: relaxed: nobody else is there any more.
        node* rest = top_.load(std::memory_order_relaxed);
        while (rest != nullptr) delete std::exchange(rest, rest->next);
        // order: relaxed: nobody else is there any more.
        free_all(retired_.load(std::memory_order_relaxed));
    }

    void push(T value) {
        auto* const added = new node{std::move(value)};
        // order: relaxed: a guess. The compare-exchange checks it.
        node* top = top_.load(std::memory_order_relaxed);
        do {
            added->next = top;
            // order: (success) release -> pop: the node and its value.
            // order: (failure) relaxed: the next guess.
        } while (!top_.compare_exchange_weak(top, added, std::memory_order_release, std::memory_order_relaxed));
    }

    /// The value that was pushed last; nothing when the stack is empty.
    [[nodiscard]] std::optional<T> pop() {
        // order: acquire <- leave: a node that was freed after its thread had left is not found below any more.
        inside_.fetch_add(1, std::memory_order_acquire);
        // order: acquire <- push: the node.
        node* top = top_.load(std::memory_order_acquire);
        // order: (success) relaxed: the node has been acquired, and leave() says that it is gone.
        // order: (failure) acquire <- push: as the load above, of another node.
        while (top != nullptr &&
               !top_.compare_exchange_weak(top, top->next, std::memory_order_relaxed, std::memory_order_acquire)) {
        }
        std::optional<T> value;
        if (top != nullptr) {
            value = std::move(top->value);
            retire(top, top);
        }
        leave();
        return value;
    }

private:
    struct node {
        T value;
        node* next = nullptr;          // in the stack. Others may read it after the node was popped
        node* next_retired = nullptr;  // among the retired ones
    };

    void retire(node* first, node* last) {
        // order: relaxed: a guess. The compare-exchange checks it.
        node* newest = retired_.load(std::memory_order_relaxed);
        do {
            last->next_retired = newest;
            // order: (success) release -> leave: the list, and that its nodes are out of the stack.
            // order: (failure) relaxed: the next guess.
        } while (!retired_.compare_exchange_weak(newest, first, std::memory_order_release, std::memory_order_relaxed));
    }

    // The nodes are taken first. If then nobody else is inside, nobody can have found one of them.
    void leave() {
        // order: acquire <- retire: the list, and that its nodes are out of the stack.
        node* const found = retired_.exchange(nullptr, std::memory_order_acquire);
        // order: release -> pop: that what was retired is out of the stack. release -> leave: nodes that were read.
        // order: acquire <- leave: nodes that others read while they were inside.
        if (inside_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            free_all(found);
        } else if (found != nullptr) {
            node* last = found;
            while (last->next_retired != nullptr) last = last->next_retired;
            retire(found, last);
        }
    }
    static void free_all(node* first) {
        while (first != nullptr) delete std::exchange(first, first->next_retired);
    }

    std::atomic<node*> top_{nullptr};
    std::atomic<node*> retired_{nullptr};
    std::atomic<int> inside_{0};  // threads in pop()
};

}  // namespace examples
