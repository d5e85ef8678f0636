// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this lock, each with the violation that it must get.
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

// What Linux, and the article's first attempts, have in common: plain data, and a look afterwards whether they may be used.
struct plain_data {
    static constexpr auto about = "The data are plain: they are thrown away after a race, but the race is there.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"writes", "reads"};
    std::atomic<unsigned> sequence{0};
    int data = 0;

    void run(int thread) {
        if (thread == 0) {
            sequence.store(1, std::memory_order_seq_cst);
            data = 1;
            sequence.store(2, std::memory_order_seq_cst);
            return;
        }
        const unsigned before = sequence.load(std::memory_order_seq_cst);
        const int value = data;
        if (before % 2 == 0 && sequence.load(std::memory_order_seq_cst) == before) {
            ordeal::require(value == (before == 0 ? 0 : 1), "the value belongs to the sequence");
        }
    }
};
ORDEAL_SCENARIO("sequence_lock_mistakes/plain_data", plain_data);

// "The second load of the sequence is an acquire, so it comes after the data." An acquire keeps what follows after it, and
// the data come before it.
struct acquire_load_in_place_of_fence {
    static constexpr auto about = "The reader has an acquire load where the acquire fence belongs: a torn value.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::failed_requirement);
    static constexpr auto threads = std::array{"writes", "reads"};
    std::atomic<unsigned> sequence{0};
    std::atomic<int> first{0};
    std::atomic<int> second{0};

    void run(int thread) {
        if (thread == 0) {
            sequence.store(1, std::memory_order_relaxed);
            std::atomic_thread_fence(std::memory_order_release);
            first.store(1, std::memory_order_relaxed);
            second.store(1, std::memory_order_relaxed);
            sequence.store(2, std::memory_order_release);
            return;
        }
        const unsigned before = sequence.load(std::memory_order_acquire);
        const int one = first.load(std::memory_order_relaxed);
        const int other = second.load(std::memory_order_relaxed);
        if (before % 2 == 0 && sequence.load(std::memory_order_acquire) == before) {
            ordeal::require(one == other, "both are from one write");
        }
    }
};
ORDEAL_SCENARIO("sequence_lock_mistakes/acquire_load_in_place_of_fence", acquire_load_in_place_of_fence);

}  // namespace
}  // namespace examples
