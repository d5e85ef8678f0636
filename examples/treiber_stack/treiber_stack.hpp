// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

namespace examples {

/// A stack of nodes that the caller owns. Any thread may push and pop; the stack never waits.
///
/// What a thread did before push() of a node happens before what a thread does that pops this node. A node that was popped
/// may be pushed again, changed or freed only when no other thread can be in pop(): see reclaiming_stack for one that
/// takes care of that itself.
///
/// Source: R. K. Treiber, "Systems programming: coping with parallelism" (IBM RJ 5118, 1986).
class treiber_stack {
public:
    struct node {
        node* next = nullptr;  // the stack's, while the node is in it
    };

    treiber_stack() = default;
    treiber_stack(const treiber_stack&) = delete;
    treiber_stack& operator=(const treiber_stack&) = delete;

    void push(node& added) noexcept {
        // order: relaxed: a guess. The compare-exchange checks it.
        node* top = top_.load(std::memory_order_relaxed);
        do {
            added.next = top;
            // order: (success) release -> pop: the node, and what its owner wrote to it.
            // order: (failure) relaxed: the next guess.
        } while (!top_.compare_exchange_weak(top, &added, std::memory_order_release, std::memory_order_relaxed));
    }

    /// The node that was pushed last, or nullptr.
    [[nodiscard]] node* pop() noexcept {
        // order: acquire <- push: the node, whose next is read below, and which the caller gets.
        node* top = top_.load(std::memory_order_acquire);
        // order: (success) relaxed: the node has been acquired. The push of those below it is in its release sequence,
        //        which this operation continues.
        // order: (failure) acquire <- push: as the load above, of another node.
        while (top != nullptr &&
               !top_.compare_exchange_weak(top, top->next, std::memory_order_relaxed, std::memory_order_acquire)) {
        }
        return top;
    }

private:
    std::atomic<node*> top_{nullptr};
};

}  // namespace examples
