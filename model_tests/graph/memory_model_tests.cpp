// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What belongs to the memory model alone: which executions a search may judge at all.
#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <atomic>

namespace ordeal::model_tests {

namespace {

// The second thread knows that the first one read y before it was written, so that the first one's fence is the earlier one;
// then it cannot see the increment of a value that the first one's store came after.
template <class P>
struct revisit_against_fences {
    static constexpr auto threads = std::array{"first", "second", "adder"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template atomic<int> z{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(2, relaxed);
            P::fence(seq_cst);
            if (y.load(relaxed) == 0) z.store(1, relaxed);
        } else if (thread == 1) {
            y.store(1, relaxed);
            P::fence(seq_cst);
            const bool earlier = z.load(relaxed) == 1;
            require(!(earlier && x.load(relaxed) == 1), "a value from before the first fence");
        } else {
            x.fetch_add(1, relaxed);
        }
    }
};

}  // namespace

TEST_CASE("What a thread does in a graph that is no execution is no violation") {
    check_held(make_scenario<revisit_against_fences>("revisit against fences"), {});
}

}  // namespace ordeal::model_tests
