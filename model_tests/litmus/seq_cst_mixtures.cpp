// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

std::vector<litmus_row> weaker_in_two_threads() {
    const outcome_set store_buffers{"0,0", "0,1", "1,0", "1,1"};
    const outcome_set two_by_two{"1,1", "1,2", "2,1", "2,2"};
    const outcome_set r{"0,1", "0,2", "1,1", "1,2"};
    return {
        runs("SB, seq_cst but for a release store",
             {{{write(x, 1, release), read(y, seq_cst)}, {write(y, 1, seq_cst), read(x, seq_cst)}}}, store_buffers),
        runs("SB, seq_cst but for an acquire load",
             {{{write(x, 1, seq_cst), read(y, acquire)}, {write(y, 1, seq_cst), read(x, seq_cst)}}}, store_buffers),
        runs("2+2W, seq_cst but for a release store",
             {{{write(x, 1, seq_cst), write(y, 2, seq_cst)}, {write(y, 1, seq_cst), write(x, 2, release)}}}, two_by_two)
            .relacy_lacks({"1,1"}, modification_order),
        runs("R, seq_cst but for the first store",
             {{{write(x, 1, release), write(y, 1, seq_cst)}, {write(y, 2, seq_cst), read(x, seq_cst)}}}, r),
        runs("R, seq_cst but for the second store",
             {{{write(x, 1, seq_cst), write(y, 1, release)}, {write(y, 2, seq_cst), read(x, seq_cst)}}}, r)
            .relacy_lacks({"0,2"}, modification_order),
        runs("R, seq_cst but for the store before the load",
             {{{write(x, 1, seq_cst), write(y, 1, seq_cst)}, {write(y, 2, release), read(x, seq_cst)}}}, r)
            .relacy_lacks({"0,2"}, modification_order),
        runs("R, seq_cst but for the load",
             {{{write(x, 1, seq_cst), write(y, 1, seq_cst)}, {write(y, 2, seq_cst), read(x, acquire)}}}, r),
    };
}

std::vector<litmus_row> weaker_in_four_threads() {
    const auto iriw = [](std::memory_order first, std::memory_order other_first,
                         std::memory_order second) -> rc11::program {
        return {{{write(x, 1, seq_cst)},
                 {read(x, first), read(y, second)},
                 {write(y, 1, seq_cst)},
                 {read(y, other_first), read(x, second)}}};
    };
    const outcome_set all = all_of({{0, 1}, {0, 1}, {0, 1}, {0, 1}});
    return {
        runs("IRIW, seq_cst but for the first loads", iriw(acquire, acquire, seq_cst), all)
            .relacy_lacks({"1,0,1,0"}, seq_cst_order)
            .asking("1,0,1,0"),
        runs("IRIW, seq_cst but for one first load", iriw(seq_cst, acquire, seq_cst), all)
            .relacy_lacks({"1,0,1,0"}, seq_cst_order)
            .asking("1,0,1,0"),
        runs("IRIW, seq_cst but for the second loads", iriw(seq_cst, seq_cst, acquire), all).asking("1,0,1,0"),
        runs("IRIW, seq_cst stores, acquire loads", iriw(acquire, acquire, acquire), all).asking("1,0,1,0"),
    };
}

std::vector<litmus_row> weaker_in_three_threads() {
    const auto rwc = [](std::memory_order first, std::memory_order last) -> rc11::program {
        return {{{write(x, 1, seq_cst)}, {read(x, first), read(y, seq_cst)}, {write(y, 1, seq_cst), read(x, last)}}};
    };
    const auto w_rwc = [](std::memory_order store, std::memory_order last) -> rc11::program {
        return {{{write(x, 1, store), write(y, 1, release)},
                 {read(y, acquire), read(z, seq_cst)},
                 {write(z, 1, seq_cst), read(x, last)}}};
    };
    const outcome_set three_loads = all_of({{0, 1}, {0, 1}, {0, 1}});
    const outcome_set loads_and_last = all_of({{0, 1}, {0, 1}, {1, 2}});
    return {
        runs("RWC, seq_cst but for the first load", rwc(acquire, seq_cst), three_loads)
            .relacy_lacks({"1,0,0"}, seq_cst_order),
        runs("RWC, seq_cst but for the last load", rwc(seq_cst, acquire), three_loads),
        runs("W+RWC, release and acquire for y, else seq_cst", w_rwc(seq_cst, seq_cst),
             without(three_loads, {"1,0,0"})),
        runs("W+RWC, release and acquire for y, the last load acquires", w_rwc(seq_cst, acquire), three_loads),
        runs("W+RWC, release and acquire for y, the first store releases", w_rwc(release, seq_cst), three_loads),
        runs("Z6.0, release and acquire for y, else seq_cst",
             {{{write(x, 1, seq_cst), write(y, 1, release)},
               {read(y, acquire), write(z, 1, seq_cst)},
               {write(z, 2, seq_cst), read(x, seq_cst)}}},
             without(loads_and_last, {"1,0,2"})),
        runs("Z6.3, release and acquire for z, else seq_cst",
             {{{write(x, 1, seq_cst), write(y, 1, seq_cst)},
               {write(y, 2, seq_cst), write(z, 1, release)},
               {read(z, acquire), read(x, seq_cst)}}},
             without(loads_and_last, {"1,0,2"})),
        runs("Z6.3, release for the first store of y, else seq_cst",
             {{{write(x, 1, seq_cst), write(y, 1, release)},
               {write(y, 2, seq_cst), write(z, 1, seq_cst)},
               {read(z, seq_cst), read(x, seq_cst)}}},
             loads_and_last)
            .relacy_lacks({"1,0,2"}, both_orders),
    };
}

std::vector<litmus_row> published_counterexample() {
    const auto z6_u = [](std::memory_order store, std::memory_order load) -> rc11::program {
        return {{{write(x, 1, seq_cst), write(y, 1, store)},
                 {add(y, 1, seq_cst), read(y, load)},
                 {write(y, 3, seq_cst), read(x, seq_cst)}}};
    };
    return {
        runs("Z6.U", z6_u(release, relaxed),
             {"0,1,0,1", "0,1,0,3", "0,1,1,1", "0,1,1,3", "0,3,0,1", "0,3,0,3", "0,3,1,1",
              "0,3,1,3", "1,2,0,2", "1,2,0,3", "1,2,1,2", "1,2,1,3", "1,3,0,3", "1,3,1,3",
              "3,1,0,1", "3,1,1,1", "3,4,0,1", "3,4,0,4", "3,4,1,1", "3,4,1,4"})
            .relacy_lacks({"0,1,0,3", "0,3,0,3", "1,2,0,3", "1,3,0,3", "3,4,0,4"}, both_orders)
            .asking("1,3,0,3"),
        runs("Z6.U, all seq_cst", z6_u(seq_cst, seq_cst),
             {"0,1,0,1", "0,1,1,1", "0,1,1,3", "0,3,0,1", "0,3,1,1", "0,3,1,3", "1,2,0,2", "1,2,1,2", "1,2,1,3",
              "1,3,1,3", "3,1,0,1", "3,1,1,1", "3,4,0,1", "3,4,1,1", "3,4,1,4"})
            .asking("1,3,0,3"),
    };
}

}  // namespace

litmus_table seq_cst_mixtures() {
    litmus_table table{
        "seq_cst among weaker accesses",
        "The values loaded, in the order of the threads, then the last value of each location that two threads store "
        "to. One access weaker than seq_cst lets SB, R, 2+2W, RWC and IRIW show their outcome again; what is handed on "
        "by release and acquire between two seq_cst accesses of other locations is as good as seq_cst (W+RWC, Z6.0, "
        "Z6.3). Z6.U is the program that C++11 forbade and POWER shows.",
        "Lahav et al., PLDI 2017 (Z6.U, IRIW with acquire loads); Batty, Donaldson, Wickerson, POPL 2016; "
        "[atomics.order]/4.",
        {}};
    for (auto& group :
         {weaker_in_two_threads(), weaker_in_three_threads(), weaker_in_four_threads(), published_counterexample()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
