// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/shapes.hpp"

namespace ordeal::model_tests {

namespace {

// A store that another thread sees: what it did before or after that, does a third see it so?
std::vector<shape> seen_stores() {
    return {
        {.name = "WRC",
         .text = {{{write(x, 1)}, {read(x), write(y, 1)}, {read(y), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,1,0",
         .ordered_forbids = true},
        {.name = "RWC",
         .text = {{{write(x, 1)}, {read(x), read(y)}, {write(y, 1), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,0,0"},
        {.name = "WRW+WR",
         .text = {{{write(x, 1)}, {read(x), write(y, 1)}, {write(y, 2), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {1, 2}}),
         .asked = "1,0,2"},
        {.name = "WRR+2W",
         .text = {{{write(x, 2)}, {read(x), read(y)}, {write(y, 1), write(x, 1)}}},
         .all = all_of({{0, 1, 2}, {0, 1}, {1, 2}}),
         .asked = "2,0,2",
         .also_forbidden = {"1,0,1", "1,0,2"}},
        {.name = "WRW+2W",
         .text = {{{write(x, 2)}, {read(x), write(y, 1)}, {write(y, 2), write(x, 1)}}},
         .all = all_of({{0, 1, 2}, {1, 2}, {1, 2}}),
         .asked = "2,2,2",
         .also_forbidden = {"1,1,2", "1,2,2"},
         .against_execution = {"1,1,2", "1,2,2", "2,2,2"}},
        {.name = "WWC",
         .text = {{{write(x, 2)}, {read(x), write(y, 1)}, {read(y), write(x, 1)}}},
         .all = all_of({{0, 1, 2}, {0, 1}, {1, 2}}),
         .asked = "2,1,2",
         .ordered_forbids = true,
         .also_forbidden = {"1,1,1", "1,1,2"},
         .load_buffering = {"1,1,1", "1,1,2"},
         .against_execution = {"2,1,2"}},
    };
}

// Each thread has two accesses; the first one stores twice.
std::vector<shape> handed_on() {
    return {
        {.name = "ISA2",
         .text = {{{write(x, 1), write(y, 1)}, {read(y), write(z, 1)}, {read(z), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,1,0",
         .ordered_forbids = true},
        {.name = "W+RWC",
         .text = {{{write(x, 1), write(y, 1)}, {read(y), read(z)}, {write(z, 1), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,0,0"},
        {.name = "Z6.0",
         .text = {{{write(x, 1), write(y, 1)}, {read(y), write(z, 1)}, {write(z, 2), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {1, 2}}),
         .asked = "1,0,2"},
        {.name = "Z6.1",
         .text = {{{write(x, 2), write(y, 1)}, {write(y, 2), write(z, 1)}, {read(z), write(x, 1)}}},
         .all = all_of({{0, 1}, {1, 2}, {1, 2}}),
         .asked = "1,2,2",
         .against_execution = {"1,2,2"}},
        {.name = "Z6.2",
         .text = {{{write(x, 2), write(y, 1)}, {read(y), write(z, 1)}, {read(z), write(x, 1)}}},
         .all = all_of({{0, 1}, {0, 1}, {1, 2}}),
         .asked = "1,1,2",
         .ordered_forbids = true,
         .against_execution = {"1,1,2"}},
        {.name = "Z6.3",
         .text = {{{write(x, 1), write(y, 1)}, {write(y, 2), write(z, 1)}, {read(z), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {1, 2}}),
         .asked = "1,0,2"},
        {.name = "Z6.4",
         .text = {{{write(x, 1), write(y, 1)}, {write(y, 2), read(z)}, {write(z, 1), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {1, 2}}),
         .asked = "0,0,2"},
        {.name = "Z6.5",
         .text = {{{write(x, 1), write(y, 1)}, {write(y, 2), write(z, 1)}, {write(z, 2), read(x)}}},
         .all = all_of({{0, 1}, {1, 2}, {1, 2}}),
         .asked = "0,2,2"},
    };
}

// Rings of three: each thread has to do with the next one.
std::vector<shape> rings() {
    return {
        {.name = "3.SB",
         .text = {{{write(x, 1), read(y)}, {write(y, 1), read(z)}, {write(z, 1), read(x)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "0,0,0"},
        {.name = "3.LB",
         .text = {{{read(x), write(y, 1)}, {read(y), write(z, 1)}, {read(z), write(x, 1)}}},
         .all = all_of({{0, 1}, {0, 1}, {0, 1}}),
         .asked = "1,1,1",
         .ordered_forbids = true,
         .load_buffering = {"1,1,1"}},
        {.name = "3.2W",
         .text = {{{write(x, 2), write(y, 1)}, {write(y, 2), write(z, 1)}, {write(z, 2), write(x, 1)}}},
         .all = all_of({{1, 2}, {1, 2}, {1, 2}}),
         .asked = "2,2,2",
         .against_execution = {"2,2,2"}},
    };
}

}  // namespace

litmus_table three_thread_shapes() {
    litmus_table table{
        "Shapes of three threads",
        "The values loaded, in the order of the threads, then the last value of each location that two threads store "
        "to. The outcome in question is the one that seq_cst forbids and relaxed allows: WRC 1,1,0, RWC 1,0,0, WRW+WR "
        "1,0,2, WRR+2W 2,0,2, WRW+2W 2,2,2, WWC 2,1,2, ISA2 1,1,0, W+RWC 1,0,0, Z6.0 1,0,2, Z6.1 1,2,2, Z6.2 1,1,2, "
        "Z6.3 1,0,2, Z6.4 0,0,2, Z6.5 0,2,2, 3.SB 0,0,0, 3.LB 1,1,1, 3.2W 2,2,2. Release and acquire forbid it where "
        "each step from thread to thread is a store that the next one loads.",
        "Herding Cats; Boehm and Adve, PLDI 2008 (WRC, RWC); Sarkar, Sewell, Alglave, Maranget, Williams, PLDI 2011 "
        "(ISA2, W+RWC, Z6).",
        {}};
    for (const auto& group : {seen_stores(), handed_on(), rings()}) {
        for (const shape& each : group) {
            for (litmus_row& row : rows_of(each)) table.rows.push_back(std::move(row));
        }
    }
    return table;
}

}  // namespace ordeal::model_tests
