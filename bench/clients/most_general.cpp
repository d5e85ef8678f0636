// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queues and the stack that Relinche was measured with, for their most general client: four threads that add one
// value each, and four that remove one. No memory is reclaimed; the node of a value is the one of its number.
//
// Treiber, "Systems Programming: Coping with Parallelism", 1986; Michael, Scott, "Simple, Fast, and Practical
// Non-Blocking and Blocking Concurrent Queue Algorithms", PODC 1996; Herlihy, Wing, "Linearizability", TOPLAS 1990.
#include "ordeal/scenario/clients.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <optional>
#include <thread>

namespace bench {
namespace {

using ordeal::fresh;

constexpr std::size_t most_values = 17;

class treiber {
public:
    void push(int value) {
        node* const mine = &nodes_[static_cast<std::size_t>(value)];
        mine->value = value;
        node* top = top_.load(std::memory_order_relaxed);
        do {
            mine->next = top;
            // order: release <- pop: the node is written
        } while (!top_.compare_exchange_strong(top, mine, std::memory_order_release, std::memory_order_relaxed));
    }
    std::optional<int> pop() {
        node* top = top_.load(std::memory_order_acquire);  // order: acquire -> push
        while (top != nullptr) {
            node* const next = top->next;
            // order: acquire -> push, on failure; release is inherited from the push that it leaves on top
            if (top_.compare_exchange_strong(top, next, std::memory_order_acquire, std::memory_order_acquire)) {
                return top->value;
            }
        }
        return std::nullopt;
    }

private:
    struct node {
        int value = 0;
        node* next = nullptr;
    };
    std::array<node, most_values> nodes_;
    std::atomic<node*> top_{nullptr};
};

class michael_scott {
public:
    void push(int value) {
        node* const mine = &nodes_[static_cast<std::size_t>(value)];
        mine->value = value;
        for (;;) {
            node* tail = tail_.load(std::memory_order_acquire);       // order: acquire -> push: the node is there
            node* next = tail->next.load(std::memory_order_acquire);  // order: acquire -> push
            if (next != nullptr) {
                // order: release <- push, pop: hands the node on
                tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
                continue;
            }
            // order: release <- push, pop: the node is written
            if (!tail->next.compare_exchange_strong(next, mine, std::memory_order_release, std::memory_order_relaxed))
                continue;
            // order: release <- push, pop: hands the node on
            tail_.compare_exchange_strong(tail, mine, std::memory_order_release, std::memory_order_relaxed);
            return;
        }
    }
    std::optional<int> pop() {
        for (;;) {
            node* head = head_.load(std::memory_order_acquire);             // order: acquire -> pop
            node* tail = tail_.load(std::memory_order_acquire);             // order: acquire -> push
            node* const next = head->next.load(std::memory_order_acquire);  // order: acquire -> push
            if (next == nullptr) return std::nullopt;
            if (head == tail) {
                // order: release <- push, pop: hands the node on
                tail_.compare_exchange_strong(tail, next, std::memory_order_release, std::memory_order_relaxed);
            }
            const int value = next->value;
            // order: release <- pop: hands the node on
            if (head_.compare_exchange_strong(head, next, std::memory_order_release, std::memory_order_relaxed))
                return value;
        }
    }

private:
    struct node {
        int value = 0;
        std::atomic<node*> next{nullptr};
    };
    std::array<node, most_values> nodes_;  // the first is the sentinel
    std::atomic<node*> head_{&nodes_[0]};
    std::atomic<node*> tail_{&nodes_[0]};
};

class herlihy_wing {
public:
    void push(int value) {
        const std::size_t at = back_.fetch_add(1, std::memory_order_acq_rel);  // order: acq_rel <-> push, pop
        items_[at].store(value, std::memory_order_release);                    // order: release <- pop
    }
    // Waits for a value.
    int pop() {
        for (;;) {
            const std::size_t range = back_.load(std::memory_order_acquire);  // order: acquire -> push
            for (std::size_t i = 0; i < range; ++i) {
                const int value = items_[i].exchange(0, std::memory_order_acq_rel);  // order: acq_rel <-> push, pop
                if (value != 0) return value;
            }
            std::this_thread::yield();
        }
    }

private:
    std::atomic<std::size_t> back_{0};
    std::array<std::atomic<int>, most_values> items_{};
};

ORDEAL_CLIENTS(clients, "treiber", treiber) {
    clients.operation("push", [](auto& stack, fresh<int> value) { stack.push(value); }).publishes();
    clients.operation("pop", [](auto& stack) { return stack.pop(); }).observes();
    clients.specification(std::deque<int>())
        .operation("push", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation("pop", [](std::deque<int>& values) -> std::optional<int> {
            if (values.empty()) return std::nullopt;
            const int value = values.back();
            values.pop_back();
            return value;
        });
}

ORDEAL_CLIENTS(clients, "michael_scott", michael_scott) {
    clients.operation("push", [](auto& queue, fresh<int> value) { queue.push(value); }).publishes();
    clients.operation("pop", [](auto& queue) { return queue.pop(); }).observes();
    clients.specification(std::deque<int>())
        .operation("push", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation("pop", [](std::deque<int>& values) -> std::optional<int> {
            if (values.empty()) return std::nullopt;
            const int value = values.front();
            values.pop_front();
            return value;
        });
}

ORDEAL_CLIENTS(clients, "herlihy_wing", herlihy_wing) {
    clients.operation("push", [](auto& queue, fresh<int> value) { queue.push(value); }).publishes();
    clients.operation("pop", [](auto& queue) { return queue.pop(); }).observes();
    clients.specification(std::deque<int>())
        .operation("push", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation(
            "pop",
            [](std::deque<int>& values) {
                const int value = values.front();
                values.pop_front();
                return value;
            },
            [](const std::deque<int>& values) { return !values.empty(); });
}

}  // namespace
}  // namespace bench
