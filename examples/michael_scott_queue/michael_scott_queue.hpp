// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "hazard_pointers.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace examples {

/// A queue without locks and without a limit, for `Threads` threads, numbered from 0. Nodes are freed by hazard pointers.
///
/// What a thread did before push() of a value happens before what a thread does that pops it. No other thread may use the queue
/// while it is destroyed.
///
/// Source: M. M. Michael, M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms" (PODC
/// 1996); with hazard pointers in M. M. Michael (IEEE TPDS 15(6), 2004).
template <class T, std::size_t Threads>
class michael_scott_queue {
public:
    michael_scott_queue() = default;
    michael_scott_queue(const michael_scott_queue&) = delete;
    michael_scott_queue& operator=(const michael_scott_queue&) = delete;
    ~michael_scott_queue() {
        // order: relaxed: nobody else is there any more.
        for (node* rest = head_.load(std::memory_order_relaxed); rest != nullptr;) {
            // order: relaxed: nobody else is there any more.
            delete std::exchange(rest, rest->next.load(std::memory_order_relaxed));
        }
    }

    void push(std::size_t thread, T value) {
        auto* const added = new node(std::move(value));
        for (;;) {
            node* tail = hazards_.protect(thread, 0, tail_);
            node* next = nullptr;
            // order: (success) relaxed: the fence of protect came after the node was made, and is its release.
            // order: (failure) acquire <- push: the node that another one has added.
            if (tail->next.compare_exchange_strong(next, added, std::memory_order_relaxed, std::memory_order_acquire)) {
                advance_tail(tail, added);
                break;
            }
            advance_tail(tail, next);
        }
        hazards_.clear(thread);
    }

    /// The oldest value; nothing when the queue is empty.
    [[nodiscard]] std::optional<T> pop(std::size_t thread) {
        std::optional<T> value;
        for (;;) {
            node* head = hazards_.protect(thread, 0, head_);
            node* const next = hazards_.protect(thread, 1, head->next);
            // order: relaxed: if head is still the first, next is not retired, and the slot protects it.
            if (head_.load(std::memory_order_relaxed) != head) continue;
            if (next == nullptr) break;
            // The tail never stays behind the head: it would point to a node that is retired.
            // order: relaxed: compared with the head alone.
            if (tail_.load(std::memory_order_relaxed) == head) advance_tail(head, next);
            // order: (success) relaxed: the fence of protect came after the load of next, and is its acquire and its release.
            // order: (failure) relaxed: protect loads it again.
            if (head_.compare_exchange_strong(head, next, std::memory_order_relaxed, std::memory_order_relaxed)) {
                value = std::move(next->value);
                hazards_.clear(thread);
                hazards_.retire(thread, head);
                return value;
            }
        }
        hazards_.clear(thread);
        return value;
    }

private:
    struct node {
        node() = default;
        explicit node(T with) : value(std::move(with)) {}
        T value{};
        std::atomic<node*> next{nullptr};
    };

    void advance_tail(node* from, node* to) noexcept {
        // order: (success) release -> push: the node, which this thread has made or acquired.
        // order: (failure) relaxed: another thread has done it.
        tail_.compare_exchange_strong(from, to, std::memory_order_release, std::memory_order_relaxed);
    }

    // The first node has no value any more; the values are in those behind it.
    std::atomic<node*> head_{new node};
    // order: relaxed: nobody else is there yet.
    std::atomic<node*> tail_{head_.load(std::memory_order_relaxed)};
    hazard_pointers<node, Threads, 2> hazards_;
};

}  // namespace examples
