// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with these locks, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

// Two threads that try once. The textbook's code is right under sequential consistency.
template <class Entry>
struct tried_by_two {
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"first", "second"};
    Entry entry;
    int count = 0;

    void run(int thread) {
        if (entry.enters(static_cast<std::size_t>(thread))) ++count;
    }
};

// Release and acquire do not keep a store before a later load: each may look before its own flag is seen.
struct flags_of_release_and_acquire {
    std::array<std::atomic<bool>, 2> wants{};
    bool enters(std::size_t me) {
        wants[me].store(true, std::memory_order_release);
        return !wants[1 - me].load(std::memory_order_acquire);
    }
};

struct dekker_without_fence : tried_by_two<flags_of_release_and_acquire> {
    static constexpr auto about = "Dekker's flags with release and acquire: both find the other's flag clear.";
};
ORDEAL_SCENARIO("dekker_mistakes/dekker_without_fence", dekker_without_fence);

// Peterson's two statements in the other order, which every textbook warns of.
struct gives_way_first {
    std::array<std::atomic<bool>, 2> wants{};
    std::atomic<std::size_t> waits{0};
    bool enters(std::size_t me) {
        waits.store(me);
        wants[me].store(true);
        return !wants[1 - me].load() || waits.load() != me;
    }
};

struct peterson_turned_round : tried_by_two<gives_way_first> {
    static constexpr auto about = "Peterson's lock that gives way before it says that it wants to enter: both enter.";
};
ORDEAL_SCENARIO("dekker_mistakes/peterson_turned_round", peterson_turned_round);

}  // namespace
}  // namespace examples
