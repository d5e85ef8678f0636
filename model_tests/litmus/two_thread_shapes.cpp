// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/shapes.hpp"

namespace ordeal::model_tests {

namespace {

// Load buffering needs no order where a store depends on the load before it.
void add_dependent_stores(std::vector<litmus_row>& rows) {
    rows.push_back(runs("LB, each stores what it loaded", {{{read(x), copy(y, 0)}, {read(y), copy(x, 0)}}}, {"0,0"}));
    rows.push_back(runs("LB, each stores only if it saw the other's store",
                        {{{read(x), write(y, 1).when(0, 1)}, {read(y), write(x, 1).when(0, 1)}}}, {"0,0"}));
    rows.push_back(
        runs("LB, one stores what it loaded", {{{read(x), copy(y, 0)}, {read(y), write(x, 1)}}}, {"0,0", "1,0", "1,1"})
            .relacy_lacks({"1,1"}, executed_stores));
}

}  // namespace

litmus_table two_thread_shapes() {
    litmus_table table{
        "Shapes of two threads",
        "The values loaded, in the order of the threads, then the last value of each location that both store to. LB, "
        "load buffering: 1,1 is the question, a value that comes from the future. 2+2W: 1,1, S: 1,2, R: 0,2, each a "
        "store that is the last though the other thread's is ordered after it. Where a store depends on the load "
        "before it, C++20 only recommends that no value come out of thin air; that is counted here as forbidden.",
        "Herding Cats (LB, 2+2W, S, R); [atomics.order]/8 and 9 for values out of thin air.",
        {}};
    const std::vector<shape> shapes{
        {.name = "LB",
         .text = {{{read(x), write(y, 1)}, {read(y), write(x, 1)}}},
         .all = all_of({{0, 1}, {0, 1}}),
         .asked = "1,1",
         .ordered_forbids = true,
         .load_buffering = {"1,1"}},
        {.name = "2+2W",
         .text = {{{write(x, 1), write(y, 2)}, {write(y, 1), write(x, 2)}}},
         .all = all_of({{1, 2}, {1, 2}}),
         .asked = "1,1",
         .against_execution = {"1,1"}},
        {.name = "S",
         .text = {{{write(x, 2), write(y, 1)}, {read(y), write(x, 1)}}},
         .all = all_of({{0, 1}, {1, 2}}),
         .asked = "1,2",
         .ordered_forbids = true,
         .against_execution = {"1,2"}},
        {.name = "R",
         .text = {{{write(x, 1), write(y, 1)}, {write(y, 2), read(x)}}},
         .all = all_of({{0, 1}, {1, 2}}),
         .asked = "0,2"},
    };
    for (const shape& each : shapes) {
        for (litmus_row& row : rows_of(each)) table.rows.push_back(std::move(row));
    }
    add_dependent_stores(table.rows);
    return table;
}

}  // namespace ordeal::model_tests
