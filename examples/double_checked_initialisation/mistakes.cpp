// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this pattern, each with the violation that it must get.
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

struct settings {
    int value = 42;
};

template <class Pointer, std::memory_order Order>
struct two_ask {
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"first", "second"};
    Pointer shared{nullptr};
    std::mutex mutex;

    ~two_ask() { delete load(); }
    settings* load() {
        if constexpr (requires { shared.load(Order); }) {
            return shared.load(Order);
        } else {
            return shared;
        }
    }
    void store(settings* made) {
        if constexpr (requires { shared.load(Order); }) {
            shared.store(made, Order);
        } else {
            shared = made;
        }
    }
    void run(int /*thread*/) {
        if (load() == nullptr) {
            const std::scoped_lock lock(mutex);
            if (load() == nullptr) store(new settings);
        }
        ordeal::require(load()->value == 42, "the object is whole");
    }
};

struct plain_pointer : two_ask<settings*, std::memory_order_seq_cst> {
    static constexpr auto about = "The pointer is plain, as in 1996: the first look races with the store.";
};
ORDEAL_SCENARIO("lazy_mistakes/plain_pointer", plain_pointer);

struct relaxed_pointer : two_ask<std::atomic<settings*>, std::memory_order_relaxed> {
    static constexpr auto about = "The pointer is atomic and relaxed: the object behind it may not be there yet.";
};
ORDEAL_SCENARIO("lazy_mistakes/relaxed_pointer", relaxed_pointer);

}  // namespace
}  // namespace examples
