// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

// x is written before the release store of y; the last thread acquires what follows in y.
rc11::program passing(rc11::thread_code between) {
    return {{{write(x, 1), write(y, 1, release)}, std::move(between), {read(y, acquire), read(x)}}};
}

std::vector<litmus_row> of_the_same_thread() {
    return {
        runs("MP, an increment of the same thread in between",
             {{{write(x, 1), write(y, 1, release), add(y, 1)}, {read(y, acquire), read(x)}}},
             {"1,0,0", "1,0,1", "1,1,1", "1,2,1"}),
        runs("MP, a store of the same thread in between",
             {{{write(x, 1), write(y, 1, release), write(y, 2)}, {read(y, acquire), read(x)}}},
             {"0,0", "0,1", "1,1", "2,0", "2,1"})
            .relacy_lacks({"2,0"}, continued_sequence),
    };
}

std::vector<litmus_row> of_another_thread() {
    const outcome_set increment{"0,0,0,1", "0,0,1,1", "0,1,0,1", "0,1,1,1", "1,0,0,2", "1,0,1,2", "1,1,1,2", "1,2,1,2"};
    return {
        runs("MP, an increment of another thread in between", passing({add(y, 1)}), increment),
        runs("MP, a release increment of another thread in between", passing({add(y, 1, release)}), increment),
        runs("MP, an exchange of another thread in between", passing({swap(y, 2)}),
             {"0,0,0,1", "0,0,1,1", "0,1,1,1", "0,2,0,1", "0,2,1,1", "1,0,0,2", "1,0,1,2", "1,1,1,2", "1,2,1,2"}),
        runs("MP, a compare-exchange of another thread in between", passing({cas(y, 1, 2, relaxed, relaxed)}),
             {"0,0,0,1", "0,0,1,1", "0,1,1,1", "1,0,0,2", "1,0,1,2", "1,1,1,2", "1,2,1,2"}),
        runs("MP, a failed compare-exchange of another thread in between", passing({cas(y, 2, 3, acquire, relaxed)}),
             {"0,0,0,1", "0,0,1,1", "0,1,1,1", "1,0,0,1", "1,0,1,1", "1,1,1,1"}),
        runs("MP, release fence, an increment of another thread, acquire fence",
             {{{write(x, 1), fence(release), write(y, 1)}, {add(y, 1)}, {read(y), fence(acquire), read(x)}}},
             increment),
        runs("MP, increments of two other threads in between",
             {{{write(x, 1), write(y, 1, release)}, {add(y, 1)}, {add(y, 1)}, {read(y, acquire), read(x)}}},
             {"0,1,0,0,1", "0,1,0,0,2", "0,1,0,1,1", "0,1,0,1,2", "0,1,1,0,1", "0,1,1,0,2", "0,1,1,1,1", "0,1,1,1,2",
              "0,1,2,0,1", "0,1,2,1,1", "0,1,2,1,2", "1,0,0,0,1", "1,0,0,0,2", "1,0,0,1,1", "1,0,0,1,2", "1,0,1,0,1",
              "1,0,1,0,2", "1,0,1,1,1", "1,0,1,1,2", "1,0,2,0,1", "1,0,2,1,1", "1,0,2,1,2", "1,2,0,0,3", "1,2,0,1,3",
              "1,2,1,1,3", "1,2,2,1,3", "1,2,3,1,3", "2,1,0,0,3", "2,1,0,1,3", "2,1,1,1,3", "2,1,2,1,3", "2,1,3,1,3"})
            .asking("1,2,3,0,3"),
    };
}

std::vector<litmus_row> broken() {
    const outcome_set seen_first{"0,0,0,1", "0,0,0,2", "0,0,1,1", "0,0,1,2", "0,1,1,1", "0,1,1,2", "0,2,0,1", "0,2,0,2",
                                 "0,2,1,1", "0,2,1,2", "1,0,0,2", "1,0,1,2", "1,1,1,2", "1,2,0,2", "1,2,1,2"};
    return {
        runs("MP, a store of another thread in between", passing({write(y, 2)}),
             without(all_of({{0, 1, 2}, {0, 1}, {1, 2}}), {"1,0,1", "1,0,2"}))
            .asking("2,0,2"),
        runs("MP, a store of another thread that saw the first", passing({read(y), write(y, 2)}), seen_first)
            .asking("1,2,0,2"),
        runs("MP, release fence, a store of another thread, acquire fence",
             {{{write(x, 1), fence(release), write(y, 1)}, {read(y), write(y, 2)}, {read(y), fence(acquire), read(x)}}},
             seen_first)
            .asking("1,2,0,2"),
        runs("MP, an increment and a store of another thread in between", passing({add(y, 1), write(y, 5)}),
             {"0,0,0,1", "0,0,0,5", "0,0,1,1", "0,0,1,5", "0,1,0,1", "0,1,0,5", "0,1,1,1", "0,1,1,5", "0,5,0,1",
              "0,5,0,5", "0,5,1,1", "0,5,1,5", "1,0,0,5", "1,0,1,5", "1,1,1,5", "1,2,1,5", "1,5,0,5", "1,5,1,5"})
            .relacy_lacks({"1,5,0,5"}, continued_sequence)
            .asking("1,5,0,5"),
    };
}

// What the thread in between wrote itself is handed on only by its own release.
std::vector<litmus_row> joined() {
    return {
        runs("MP, what another thread wrote before its relaxed increment",
             {{{write(x, 1), write(y, 1, release)}, {write(z, 1), add(y, 1)}, {read(y, acquire), read(z)}}},
             {"0,0,0,1", "0,0,1,1", "0,1,0,1", "0,1,1,1", "1,0,0,2", "1,0,1,2", "1,1,0,2", "1,1,1,2", "1,2,0,2",
              "1,2,1,2"})
            .asking("1,2,0,2"),
        runs("MP, what another thread wrote before its release increment",
             {{{write(x, 1), write(y, 1, release)},
               {write(z, 1), add(y, 1, release)},
               {read(y, acquire), read(x), read(z)}}},
             {"0,0,0,0,1", "0,0,0,1,1", "0,0,1,0,1", "0,0,1,1,1", "0,1,0,1,1", "0,1,1,0,1", "0,1,1,1,1", "1,0,0,0,2",
              "1,0,0,1,2", "1,0,1,0,2", "1,0,1,1,2", "1,1,1,0,2", "1,1,1,1,2", "1,2,1,1,2"})
            .asking("1,2,1,0,2"),
        runs("MP, a release increment continued by a relaxed one",
             {{{write(x, 1), add(y, 1, release)}, {add(y, 2)}, {read(y, acquire), read(x)}}},
             {"0,1,0,0,3", "0,1,0,1,3", "0,1,1,1,3", "0,1,3,1,3", "2,0,0,0,3", "2,0,0,1,3", "2,0,2,0,3", "2,0,2,1,3",
              "2,0,3,1,3"})
            .asking("0,1,3,0,3"),
    };
}

}  // namespace

litmus_table release_chains() {
    litmus_table table{
        "Release sequences, atomic data",
        "The values that operations and loads found, in the order of the threads, then the last value of y where two "
        "threads change it. The last two values loaded are those of y and of x: the last of y with 0 for x is "
        "forbidden where read-modify-writes alone stand between it and the release store, allowed where a store does.",
        "[intro.races]/5; [atomics.order]/2.",
        {}};
    for (auto& group : {of_the_same_thread(), of_another_thread(), broken(), joined()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
