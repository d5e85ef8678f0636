// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with hazard pointers, each with the violation that it must get. One thread reads what a pointer
// points to, the other one replaces that and deletes it, unless it is protected.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

template <std::memory_order Load, std::memory_order Store, bool LooksAgain>
struct read_against_replace {
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"reads", "replaces"};
    std::atomic<int*> shared{new int(1)};
    std::atomic<int*> hazard{nullptr};
    int* kept = nullptr;
    int seen = 0;

    ~read_against_replace() {
        delete kept;
        delete shared.load();
    }
    void run(int thread) {
        if (thread == 1) {
            int* const old = shared.load(std::memory_order_relaxed);
            shared.store(nullptr, Store);
            if (hazard.load(Load) == old) {
                kept = old;
            } else {
                delete old;
            }
            return;
        }
        int* const found = shared.load(Load);
        hazard.store(found, Store);
        if (found != nullptr && (!LooksAgain || shared.load(Load) == found)) seen = *found;
        hazard.store(nullptr, Store);
    }
};

struct no_second_look : read_against_replace<std::memory_order_seq_cst, std::memory_order_seq_cst, false> {
    static constexpr auto about = "The pointer is not loaded again: the node may be gone before it is protected.";
};
ORDEAL_SCENARIO("hazard_pointer_mistakes/no_second_look", no_second_look);

struct no_fence : read_against_replace<std::memory_order_acquire, std::memory_order_release, true> {
    static constexpr auto about = "Release and acquire alone: each thread looks before the other one sees its store.";
};
ORDEAL_SCENARIO("hazard_pointer_mistakes/no_fence", no_fence);

}  // namespace
}  // namespace examples
