// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where RC11 allows more than the letter of C++20: the single order of seq_cst operations that [atomics.order] asks for
// agrees with coherence-ordered before, which goes on through a load of a store that is not seq_cst; RC11's scb has
// modification order and reads-before only as single steps. Besides, [intro.races] lets an access that is sequenced before a
// release of the same location strongly happen before what the acquire brings; RC11's scb does not.
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

constexpr difference through_a_load{
    "RC11 allows: a seq_cst access that is before a weaker store in coherence is not ordered with a seq_cst load that "
    "sees this store.",
    ""};
constexpr difference forwarded{
    "RC11 allows: a thread sees its own weaker store before others do. So does x86, where a seq_cst load is a plain "
    "one: LWG issue 3941.",
    ""};
constexpr difference through_a_fence{
    "RC11 allows: a seq_cst access that is before a weaker store in coherence is not ordered with a seq_cst fence "
    "after a relaxed load that sees this store.",
    ""};
constexpr difference by_the_letter{"False alarm by the letter of C++20, as in RC11.", ""};
constexpr difference same_location{
    "RC11 allows: what is handed on by a release of the location of the seq_cst access itself does not order it.", ""};

std::vector<litmus_row> overwritten() {
    const outcome_set three = all_of({{0, 1}, {0, 1}, {0, 1}});
    const outcome_set four = all_of({{0, 1}, {0, 1}, {0, 1}, {0, 1}});
    const auto iriw = [](std::memory_order first, std::memory_order other) -> rc11::program {
        return {{{write(x, 1, first)},
                 {read(x, seq_cst), read(y, seq_cst)},
                 {write(y, 1, other)},
                 {read(y, seq_cst), read(x, seq_cst)}}};
    };
    return {
        runs("IRIW, release stores, seq_cst loads", iriw(release, release), without(four, {"1,0,1,0"}))
            .relacy_adds({"1,0,1,0"}, by_the_letter)
            .graph_adds({"1,0,1,0"}, through_a_load)
            .asking("1,0,1,0"),
        runs("IRIW, one release store, else seq_cst", iriw(release, seq_cst), without(four, {"1,0,1,0"}))
            .relacy_adds({"1,0,1,0"}, by_the_letter)
            .graph_adds({"1,0,1,0"}, through_a_load)
            .asking("1,0,1,0"),
        runs("RWC, a release store first, else seq_cst",
             {{{write(x, 1, release)}, {read(x, seq_cst), read(y, seq_cst)}, {write(y, 1, seq_cst), read(x, seq_cst)}}},
             without(three, {"1,0,0"}))
            .relacy_adds({"1,0,0"}, by_the_letter)
            .graph_adds({"1,0,0"}, through_a_load),
        runs("MP, seq_cst but for another thread's store over the flag",
             {{{write(y, 1, seq_cst), write(x, 1, seq_cst)}, {write(x, 2)}, {read(x, seq_cst), read(y, seq_cst)}}},
             {"0,0,1", "0,0,2", "0,1,1", "0,1,2", "1,1,1", "1,1,2", "2,0,1", "2,1,1", "2,1,2"})
            .graph_adds({"2,0,2"}, through_a_load)
            .asking("2,0,2"),
        runs("RWC, a seq_cst fence, seq_cst accesses in the last thread",
             {{{write(x, 1)}, {read(x), fence(seq_cst), read(y)}, {write(y, 1, seq_cst), read(x, seq_cst)}}},
             without(three, {"1,0,0"}))
            .relacy_adds({"1,0,0"}, fence_and_accesses)
            .graph_adds({"1,0,0"}, through_a_fence),
    };
}

std::vector<litmus_row> loaded_back() {
    const outcome_set z6_u{"0,1,0,1", "0,1,0,3", "0,1,1,1", "0,1,1,3", "0,3,0,1", "0,3,0,3", "0,3,1,1",
                           "0,3,1,3", "1,2,0,2", "1,2,0,3", "1,2,1,2", "1,2,1,3", "1,3,0,3", "1,3,1,3",
                           "3,1,0,1", "3,1,1,1", "3,4,0,1", "3,4,0,4", "3,4,1,1", "3,4,1,4"};
    return {
        runs("SB, relaxed stores loaded back, seq_cst loads",
             {{{write(x, 1), read(x, seq_cst), read(y, seq_cst)}, {write(y, 1), read(y, seq_cst), read(x, seq_cst)}}},
             {"1,0,1,1", "1,1,1,0", "1,1,1,1"})
            .relacy_adds({"1,0,1,0"}, by_the_letter)
            .graph_adds({"1,0,1,0"}, forwarded),
        runs("SB, a release store loaded back, then a seq_cst store",
             {{{write(x, 2, seq_cst), read(y, seq_cst)},
               {write(y, 1, release), read(y, seq_cst), write(x, 1, seq_cst)}}},
             {"0,1,1", "1,1,1", "1,1,2"})
            .relacy_adds({"0,1,2"}, by_the_letter)
            .graph_adds({"0,1,2"}, through_a_load),
        runs("Z6.U, seq_cst but for the release store",
             {{{write(x, 1, seq_cst), write(y, 1, release)},
               {add(y, 1, seq_cst), read(y, seq_cst)},
               {write(y, 3, seq_cst), read(x, seq_cst)}}},
             without(z6_u, {"1,2,0,3"}))
            .relacy_lacks({"0,1,0,3", "0,3,0,3", "1,3,0,3", "3,4,0,4"}, both_orders)
            .graph_adds({"1,2,0,3"}, same_location)
            .asking("1,2,0,3"),
        runs("RWC, a seq_cst and a release store of x first",
             {{{write(x, 1, seq_cst), write(x, 2, release)},
               {read(x, acquire), read(y, seq_cst)},
               {write(y, 1, seq_cst), read(x, seq_cst)}}},
             without(all_of({{0, 1, 2}, {0, 1}, {0, 1, 2}}), {"2,0,0"}))
            .relacy_lacks({"1,0,0"}, seq_cst_order)
            .graph_adds({"2,0,0"}, same_location)
            .asking("2,0,0"),
        // psc has an edge from the fence to the last load, [F];hb;sb;[SC], and S has none; but one to the store that it
        // misses.
        runs("RWC, a seq_cst fence that releases to a seq_cst load",
             {{{write(z, 1, seq_cst), read(y, seq_cst)},
               {write(y, 1), fence(seq_cst), write(x, 1)},
               {read(x, acquire), read(z, seq_cst)}}},
             without(all_of({{0, 1}, {0, 1}, {0, 1}}), {"0,1,0"}))
            .relacy_adds({"0,1,0"}, fence_and_accesses)
            .asking("0,1,0"),
    };
}

}  // namespace

litmus_table seq_cst_through_weaker() {
    litmus_table table{
        "seq_cst where C++20 and RC11 differ",
        "The values loaded, in the order of the threads, then the last value of each location that two threads store "
        "to. C++20's single order of the seq_cst operations agrees with coherence also through weaker stores. An "
        "outcome that RC11 adds may be a false alarm by the letter of C++20; implementations show some. RC11 allows "
        "all "
        "that the letter allows.",
        "[atomics.order]/3 and 4; Lahav et al., PLDI 2017.",
        {}};
    for (auto& group : {overwritten(), loaded_back()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
