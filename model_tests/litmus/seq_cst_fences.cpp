// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

std::vector<litmus_row> in_two_threads() {
    const outcome_set all{"0,0", "0,1", "1,0", "1,1"};
    const auto against = [](rc11::thread_code other) -> rc11::program {
        return {{{write(x, 1), fence(seq_cst), read(y)}, std::move(other)}};
    };
    return {
        runs("SB, a seq_cst fence before a seq_cst load, against seq_cst accesses",
             {{{write(x, 1), fence(seq_cst), read(y, seq_cst)}, {write(y, 1, seq_cst), read(x, seq_cst)}}},
             {"0,1", "1,0", "1,1"})
            .relacy_adds({"0,0"}, fence_and_accesses),
        runs("SB, a seq_cst fence against a relaxed store and a seq_cst load", against({write(y, 1), read(x, seq_cst)}),
             all),
        runs("SB, a seq_cst fence against a seq_cst store and a relaxed load", against({write(y, 1, seq_cst), read(x)}),
             all),
        runs("SB, a seq_cst fence against an acq_rel fence", against({write(y, 1), fence(acq_rel), read(x)}), all),
        runs("SB, a seq_cst fence against a seq_cst exchange and a relaxed load",
             against({swap(y, 1, seq_cst), read(x)}), {"0,0,0", "0,0,1", "1,0,0", "1,0,1"}),
        runs("R, a release fence against a seq_cst fence",
             {{{write(x, 1), fence(release), write(y, 1)}, {write(y, 2), fence(seq_cst), read(x)}}},
             {"0,1", "0,2", "1,1", "1,2"}),
    };
}

std::vector<litmus_row> in_three_threads() {
    const outcome_set all = all_of({{0, 1}, {0, 1}, {0, 1}});
    const outcome_set ordered = without(all, {"1,0,0"});
    const rc11::thread_code fenced_last{write(z, 1), fence(seq_cst), read(x)};
    const rc11::thread_code seq_cst_last{write(z, 1, seq_cst), read(x, seq_cst)};
    const rc11::thread_code fenced_first{write(x, 1), fence(seq_cst), write(y, 1)};
    return {
        runs("RWC, acquire, a seq_cst fence in the last thread",
             {{{write(x, 1)}, {read(x, acquire), read(y)}, {write(y, 1), fence(seq_cst), read(x)}}}, all),
        runs("RWC, a seq_cst fence, an acq_rel fence in the last thread",
             {{{write(x, 1)}, {read(x), fence(seq_cst), read(y)}, {write(y, 1), fence(acq_rel), read(x)}}}, all),
        runs("W+RWC, release and acquire, then seq_cst fences",
             {{{write(x, 1), write(y, 1, release)}, {read(y, acquire), fence(seq_cst), read(z)}, fenced_last}},
             ordered),
        runs("W+RWC, a seq_cst fence, acquire, a seq_cst fence",
             {{fenced_first, {read(y, acquire), read(z)}, fenced_last}}, ordered),
        runs("W+RWC, a seq_cst fence, acquire, then seq_cst accesses",
             {{fenced_first, {read(y, acquire), read(z, seq_cst)}, seq_cst_last}}, ordered)
            .relacy_adds({"1,0,0"}, fence_and_accesses),
        runs("W+RWC, a seq_cst fence, relaxed, then seq_cst accesses",
             {{fenced_first, {read(y), read(z, seq_cst)}, seq_cst_last}}, all),
        runs("3.SB, two seq_cst fences and an acq_rel one",
             {{{write(x, 1), fence(seq_cst), read(y)},
               {write(y, 1), fence(seq_cst), read(z)},
               {write(z, 1), fence(acq_rel), read(x)}}},
             all),
        runs("IRIW, a seq_cst fence and an acquire fence",
             {{{write(x, 1)}, {read(x), fence(seq_cst), read(y)}, {write(y, 1)}, {read(y), fence(acquire), read(x)}}},
             all_of({{0, 1}, {0, 1}, {0, 1}, {0, 1}}))
            .asking("1,0,1,0"),
    };
}

}  // namespace

litmus_table seq_cst_fences() {
    litmus_table table{"seq_cst fences among weaker accesses",
                       "The values loaded, in the order of the threads, then the last value of each location that two "
                       "threads store to. A seq_cst fence needs another one, or a seq_cst access, on each side of the "
                       "cycle where no release and acquire carry what happened before it.",
                       "Lahav et al., PLDI 2017 (fences); Batty, Donaldson, Wickerson, POPL 2016; [atomics.order]/4.",
                       {}};
    for (auto& group : {in_two_threads(), in_three_threads()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
