// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with reference counts, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>

namespace examples {
namespace {

using ordeal::violated;
using ordeal::violation_kind;

struct document {
    std::atomic<int> references{2};
    int word = 0;
};

// "It is only a counter."
struct count_relaxed {
    static constexpr auto about =
        "The count goes down relaxed: the object is deleted while its last use is not ordered before.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
    static constexpr auto threads = std::array{"writes", "gives up"};
    document* shared = new document;

    void run(int thread) {
        if (thread == 0) shared->word = 1;
        if (shared->references.fetch_sub(1, std::memory_order_relaxed) == 1) delete shared;
    }
};
ORDEAL_SCENARIO("counted_pointer_mistakes/count_relaxed", count_relaxed);

// std::shared_ptr::unique() was removed for this: use_count() is a relaxed load.
struct unique_relaxed {
    static constexpr auto about = "Copy on write after a relaxed load of the count, as shared_ptr::unique() was.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::data_race);
    static constexpr auto threads = std::array{"writes", "reads"};
    document shared;
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            seen = shared.word;
            shared.references.fetch_sub(1, std::memory_order_acq_rel);
        } else if (shared.references.load(std::memory_order_relaxed) == 1) {
            shared.word = 1;
        }
    }
};
ORDEAL_SCENARIO("counted_pointer_mistakes/unique_relaxed", unique_relaxed);

// The count is read, and then written: an owner that has gone meanwhile is forgotten.
struct last_by_a_load {
    static constexpr auto about = "\"Am I the last?\" by a load before the decrement: nobody deletes.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(violation_kind::leak);
    static constexpr auto threads = std::array{"first", "second"};
    document* shared = new document;

    void run(int /*thread*/) {
        if (shared->references.load() == 1) {
            delete shared;
        } else {
            shared->references.fetch_sub(1);
        }
    }
};
ORDEAL_SCENARIO("counted_pointer_mistakes/last_by_a_load", last_by_a_load);

}  // namespace
}  // namespace examples
