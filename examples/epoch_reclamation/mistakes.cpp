// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with epochs, each with the violation that it must get. Two threads, of which one replaces a number that
// the other one reads; the first deletes it as soon as the epoch allows that.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

constexpr std::uint64_t outside = 99;

template <bool FenceInEnter, bool FenceInRetire>
struct read_against_replace {
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"reads", "replaces"};
    std::atomic<int*> current{new int(1)};
    std::atomic<std::uint64_t> epoch{0};
    std::array<std::atomic<std::uint64_t>, 2> seen{outside, outside};
    int* retired = nullptr;
    int number = 0;

    ~read_against_replace() {
        delete retired;
        delete current.load();
    }
    void enter(std::size_t thread) {
        seen[thread].store(epoch.load(std::memory_order_relaxed), std::memory_order_relaxed);
        if constexpr (FenceInEnter) std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    void leave(std::size_t thread) { seen[thread].store(outside, std::memory_order_release); }

    std::uint64_t next_epoch() {
        std::uint64_t now = epoch.load(std::memory_order_acquire);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        for (const auto& each : seen) {
            const std::uint64_t entered = each.load(std::memory_order_acquire);
            if (entered != outside && entered != now) return now;
        }
        return epoch.compare_exchange_strong(now, now + 1, std::memory_order_acq_rel) ? now + 1 : now;
    }
    void read() {
        enter(0);
        if (const int* const found = current.load(std::memory_order_acquire)) number = *found;
        leave(0);
    }
    void replace() {
        enter(1);
        retired = current.exchange(nullptr, std::memory_order_acq_rel);
        if constexpr (FenceInRetire) std::atomic_thread_fence(std::memory_order_seq_cst);
        const std::uint64_t when = epoch.load(std::memory_order_relaxed);
        leave(1);
        for (int i = 0; i < 2; ++i) {
            if (next_epoch() < when + 2) continue;
            delete retired;
            retired = nullptr;
            return;
        }
    }
};

struct no_fence_in_enter : read_against_replace<false, true> {
    static constexpr auto about = "A thread enters without a fence: it finds the node before it is seen to be inside.";
    void run(int thread) {
        if (thread == 0) {
            read();
        } else {
            replace();
        }
    }
};
ORDEAL_SCENARIO("epoch_mistakes/no_fence_in_enter", no_fence_in_enter);

struct no_fence_in_retire : read_against_replace<true, false> {
    static constexpr auto about =
        "The epoch of a retired node is loaded without a fence: it is older than the reader's.";
    void run(int thread) {
        if (thread == 0) {
            next_epoch();
            read();
        } else {
            replace();
        }
    }
};
ORDEAL_SCENARIO("epoch_mistakes/no_fence_in_retire", no_fence_in_retire);

}  // namespace
}  // namespace examples
