// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread sees in a turn of a loop that only a spurious failure brought about.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <string>

namespace ordeal::model_tests {

namespace {

// The first thread looks at `late` when its exchange has failed, which nothing but chance makes it do.
template <int Looking>
struct seen_in_a_spurious_turn {
    static constexpr auto threads = std::array{"first", "second", "third"};
    std::atomic<int> word{0};
    std::atomic<int> early{0}, late{0};
    int seen = 0;

    void run(int thread) {
        switch ((thread + Looking) % 3) {
            case 0: return look();
            case 1: return late.store(1, relaxed);
            default: return early.store(1, relaxed);
        }
    }
    void look() {
        const int before = early.load(relaxed);
        int expected = 0;
        while (!word.compare_exchange_weak(expected, 1, relaxed)) {
            if (late.load(relaxed) == 1) {
                seen = 1 + before;
                return;
            }
            expected = 0;
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen); }
};

struct seen_by_the_leftmost : seen_in_a_spurious_turn<0> {};
struct seen_by_the_rightmost : seen_in_a_spurious_turn<1> {};
struct seen_by_the_middle : seen_in_a_spurious_turn<2> {};

ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_leftmost", seen_by_the_leftmost);
ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_middle", seen_by_the_middle);
ORDEAL_SCENARIO("programs/seen_in_a_spurious_turn_rightmost", seen_by_the_rightmost);

}  // namespace

}  // namespace ordeal::model_tests
