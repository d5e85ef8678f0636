// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "epochs.hpp"

#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace examples {
namespace {

using ordeal::require;

struct node {
    int value = 0;
};

// A pointer that one thread replaces while others read what it points to.
template <std::size_t Threads = 2>
struct shared_node {
    epochs<node, Threads> reclaimed;
    std::atomic<node*> current{new node{1}};

    ~shared_node() { delete current.load(std::memory_order_relaxed); }
    int read(std::size_t thread) {
        const typename epochs<node, Threads>::guard inside(reclaimed, thread);
        return current.load(std::memory_order_acquire)->value;
    }
    void replace(std::size_t thread, int value) {
        const typename epochs<node, Threads>::guard inside(reclaimed, thread);
        node* const old = current.exchange(new node{value}, std::memory_order_acq_rel);
        reclaimed.retire(thread, old);
    }
};

struct read_against_replace {
    static constexpr auto about = "One replaces a node and collects until it is deleted, another reads it.";
    static constexpr auto threads = std::array{"reads", "replaces"};
    shared_node<> shared;

    void run(int thread) {
        if (thread == 0) {
            const int seen = shared.read(0);
            require(seen == 1 || seen == 2, "the node is whole");
        } else {
            shared.replace(1, 2);
            shared.reclaimed.collect(1);
            shared.reclaimed.collect(1);
        }
    }
};
ORDEAL_SCENARIO("epochs/read_against_replace", read_against_replace);

struct collected_by_both {
    static constexpr auto about = "The reader helps the epoch on; then what it did is handed over by way of the epoch.";
    static constexpr auto threads = std::array{"reads", "replaces"};
    shared_node<> shared;

    void run(int thread) {
        if (thread == 0) {
            (void)shared.read(0);
            shared.reclaimed.collect(0);
        } else {
            shared.replace(1, 2);
            shared.reclaimed.collect(1);
        }
    }
};
ORDEAL_SCENARIO("epochs/collected_by_both", collected_by_both);

struct collects_then_reads {
    static constexpr auto about = "The reader helps the epoch on, and then reads in the new one.";
    static constexpr auto threads = std::array{"reads", "replaces"};
    shared_node<> shared;

    void run(int thread) {
        if (thread == 0) {
            shared.reclaimed.collect(0);
            (void)shared.read(0);
        } else {
            shared.replace(1, 2);
            shared.reclaimed.collect(1);
        }
    }
};
ORDEAL_SCENARIO("epochs/collects_then_reads", collects_then_reads);

struct third_collects {
    static constexpr auto about =
        "A third thread sees that the reader has left: who deletes knows it by the epoch alone.";
    static constexpr auto threads = std::array{"reads", "replaces", "collects"};
    shared_node<3> shared;

    void run(int thread) {
        if (thread == 0) {
            (void)shared.read(0);
        } else if (thread == 1) {
            shared.replace(1, 2);
            shared.reclaimed.collect(1);
        } else {
            shared.reclaimed.collect(2);
            shared.reclaimed.collect(2);
        }
    }
};
ORDEAL_SCENARIO("epochs/third_collects", third_collects);

}  // namespace
}  // namespace examples
