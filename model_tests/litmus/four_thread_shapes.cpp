// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/shapes.hpp"

namespace ordeal::model_tests {

litmus_table four_thread_shapes() {
    litmus_table table{
        "Shapes of four threads",
        "The values loaded, in the order of the threads, then the last value of each location that two threads store "
        "to. Two threads store, and two others, of which each saw one of the stores, do not agree which came first.",
        "Boehm and Adve, PLDI 2008 (IRIW); Herding Cats.",
        {}};
    const std::vector<shape> shapes{
        {.name = "IRIW",
         .text = {{{write(x, 1)}, {read(x), read(y)}, {write(y, 1)}, {read(y), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,0,1,0"},
        {.name = "IRRWIW",
         .text = {{{write(x, 2)}, {read(x), read(y)}, {write(y, 1)}, {read(y), write(x, 1)}}},
         .all = all_of({{0, 1, 2}, {0, 1}, {0, 1}, {1, 2}}),
         .asked = "2,0,1,2",
         .also_forbidden = {"1,0,1,1", "1,0,1,2"}},
        {.name = "IRWIW",
         .text = {{{write(x, 2)}, {read(x), write(y, 1)}, {write(y, 2)}, {read(y), write(x, 1)}}},
         .all = all_of({{0, 1, 2}, {0, 1, 2}, {1, 2}, {1, 2}}),
         .asked = "2,2,2,2",
         .also_forbidden = {"1,1,1,1", "1,1,1,2", "1,1,2,1", "1,1,2,2", "1,2,1,2", "1,2,2,2", "2,1,2,1", "2,1,2,2"},
         .load_buffering = {"1,1,1,1", "1,1,1,2", "1,1,2,1", "1,1,2,2"},
         .against_execution = {"1,2,1,2", "1,2,2,2", "2,1,2,1", "2,1,2,2", "2,2,2,2"}},
    };
    for (const shape& each : shapes) {
        for (litmus_row& row : rows_of(each)) table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace ordeal::model_tests
