// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

std::vector<litmus_row> counting() {
    return {
        runs("two increments", {{{add(x, 1)}, {add(x, 1)}}}, {"0,1,2", "1,0,2"}),
        runs("three increments", {{{add(x, 1)}, {add(x, 1)}, {add(x, 1)}}},
             {"0,1,2,3", "0,2,1,3", "1,0,2,3", "1,2,0,3", "2,0,1,3", "2,1,0,3"}),
        runs("two increments each", {{{add(x, 1), add(x, 1)}, {add(x, 1), add(x, 1)}}},
             {"0,1,2,3,4", "0,2,1,3,4", "0,3,1,2,4", "1,2,0,3,4", "1,3,0,2,4", "2,3,0,1,4"}),
        runs("an increment and a load each", {{{add(x, 1), read(x)}, {add(x, 1), read(x)}}},
             {"0,1,1,2,2", "0,2,1,2,2", "1,2,0,1,2", "1,2,0,2,2"}),
        runs("two increments, seen by a third thread", {{{add(x, 1)}, {add(x, 1)}, {read(x), read(x)}}},
             {"0,1,0,0,2", "0,1,0,1,2", "0,1,0,2,2", "0,1,1,1,2", "0,1,1,2,2", "0,1,2,2,2", "1,0,0,0,2", "1,0,0,1,2",
              "1,0,0,2,2", "1,0,1,1,2", "1,0,1,2,2", "1,0,2,2,2"}),
        runs("an increment against a store", {{{add(x, 1)}, {write(x, 5)}}}, {"0,5", "5,6"}),
        runs("an increment against a store and a load", {{{add(x, 2)}, {write(x, 1), read(x)}}},
             {"0,1,1", "1,1,3", "1,3,3"}),
    };
}

std::vector<litmus_row> exchanging() {
    return {
        runs("two exchanges", {{{swap(x, 1)}, {swap(x, 2)}}}, {"0,1,2", "2,0,1"}),
        runs("two exchanges, seen by a third thread", {{{swap(x, 1)}, {swap(x, 2)}, {read(x), read(x)}}},
             {"0,1,0,0,2", "0,1,0,1,2", "0,1,0,2,2", "0,1,1,1,2", "0,1,1,2,2", "0,1,2,2,2", "2,0,0,0,1", "2,0,0,1,1",
              "2,0,0,2,1", "2,0,1,1,1", "2,0,2,1,1", "2,0,2,2,1"}),
        runs("an increment against an exchange", {{{add(x, 1)}, {swap(x, 5)}}}, {"0,1,5", "5,0,6"}),
        runs("an exchange against two stores", {{{write(x, 1), write(x, 2)}, {swap(x, 5)}}}, {"0,2", "1,2", "2,5"}),
        runs("two compare-exchanges of one value",
             {{{cas(x, 0, 1, relaxed, relaxed)}, {cas(x, 0, 2, relaxed, relaxed)}}}, {"0,1,1", "2,0,2"}),
        runs("two compare-exchanges, one after the other",
             {{{cas(x, 0, 1, relaxed, relaxed)}, {cas(x, 1, 2, relaxed, relaxed)}}}, {"0,0,1", "0,1,2"}),
        runs("a compare-exchange against a store", {{{cas(x, 0, 1, relaxed, relaxed)}, {write(x, 5)}}}, {"0,5", "5,5"}),
        runs("a compare-exchange against an increment", {{{add(x, 1)}, {cas(x, 0, 5, relaxed, relaxed)}}},
             {"0,1,1", "5,0,6"}),
        runs("a compare-exchange against two increments", {{{add(x, 1), add(x, 1)}, {cas(x, 1, 5, relaxed, relaxed)}}},
             {"0,1,0,2", "0,1,2,2", "0,5,1,6"}),
    };
}

std::vector<litmus_row> ordering() {
    return {
        runs("MP by relaxed increments", {{{write(x, 1), add(y, 1)}, {add(y, 1), read(x)}}},
             {"0,1,0,2", "0,1,1,2", "1,0,0,2", "1,0,1,2"}),
        runs("MP by acq_rel increments", {{{write(x, 1), add(y, 1, acq_rel)}, {add(y, 1, acq_rel), read(x)}}},
             {"0,1,1,2", "1,0,0,2", "1,0,1,2"}),
        runs("MP by a release and an acquire exchange",
             {{{write(x, 1), swap(y, 1, release)}, {swap(y, 2, acquire), read(x)}}}, {"0,1,1,2", "2,0,0,1", "2,0,1,1"}),
        runs("SB, relaxed exchanges as stores", {{{swap(x, 1), read(y)}, {swap(y, 1), read(x)}}},
             {"0,0,0,0", "0,0,0,1", "0,1,0,0", "0,1,0,1"}),
        runs("SB, seq_cst exchanges as stores, relaxed loads",
             {{{swap(x, 1, seq_cst), read(y)}, {swap(y, 1, seq_cst), read(x)}}},
             {"0,0,0,0", "0,0,0,1", "0,1,0,0", "0,1,0,1"}),
        runs("SB, an acq_rel exchange of one more location between",
             {{{write(x, 1), swap(z, 1, acq_rel), read(y)}, {write(y, 1), swap(z, 1, acq_rel), read(x)}}},
             {"0,0,1,1,1", "0,1,1,1,1", "1,1,0,0,1", "1,1,0,1,1"}),
        runs("SB, a relaxed exchange of one more location between",
             {{{write(x, 1), swap(z, 1), read(y)}, {write(y, 1), swap(z, 1), read(x)}}},
             {"0,0,1,0,1", "0,0,1,1,1", "0,1,1,0,1", "0,1,1,1,1", "1,0,0,0,1", "1,0,0,1,1", "1,1,0,0,1", "1,1,0,1,1"}),
    };
}

}  // namespace

litmus_table atomicity() {
    litmus_table table{
        "Read-modify-writes",
        "The values that the operations and loads found, in the order of the threads, then the last value of what two "
        "threads change. A read-modify-write takes its value from the write directly before its own in modification "
        "order: two never find the same one, and no store comes between. It orders nothing else by being atomic.",
        "[atomics.order]/10.",
        {}};
    for (auto& group : {counting(), exchanging(), ordering()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
