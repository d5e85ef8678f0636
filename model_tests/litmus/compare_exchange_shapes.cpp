// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

std::vector<litmus_row> passing() {
    const auto received = [](const rc11::instruction& how) -> rc11::program {
        return {{{write(x, 1), write(y, 1, release)}, {how, read(x)}}};
    };
    const auto sent = [](const rc11::instruction& how) -> rc11::program {
        return {{{write(x, 1), how}, {read(y, acquire), read(x)}}};
    };
    return {
        runs("MP, a successful CAS(acquire, relaxed) loads", received(cas(y, 1, 2, acquire, relaxed)),
             {"0,0,1", "0,1,1", "1,1,2"}),
        runs("MP, a successful CAS(relaxed, acquire) loads", received(cas(y, 1, 2, relaxed, acquire)),
             {"0,0,1", "0,1,1", "1,0,2", "1,1,2"}),
        runs("MP, a failing CAS(relaxed, acquire) loads", received(cas(y, 7, 2, relaxed, acquire)),
             {"0,0,1", "0,1,1", "1,1,1"}),
        runs("MP, a failing CAS(acquire, relaxed) loads", received(cas(y, 7, 2, acquire, relaxed)),
             {"0,0,1", "0,1,1", "1,0,1", "1,1,1"}),
        runs("MP, a successful CAS(release, relaxed) stores", sent(cas(y, 0, 1, release, relaxed)),
             {"0,0,0", "0,0,1", "0,1,1"}),
        runs("MP, a successful CAS(acquire, acquire) stores", sent(cas(y, 0, 1, acquire, acquire)),
             {"0,0,0", "0,0,1", "0,1,0", "0,1,1"}),
    };
}

std::vector<litmus_row> stale() {
    constexpr auto weak = [](int expected, int desired) { return cas(x, expected, desired, relaxed, relaxed); };
    return {
        runs("a failing CAS is stale", {{{write(x, 1), write(y, 1)}, {read(y), weak(7, 8)}}},
             {"0,0,1", "0,1,1", "1,0,1", "1,1,1"})
            .relacy_lacks({"1,0,1"}, newest_failure),
        runs("a CAS succeeds on the newest value or fails on an older one",
             {{{write(x, 1), write(y, 1)}, {read(y), weak(1, 8)}}}, {"0,0,1", "0,1,8", "1,0,1", "1,1,8"})
            .relacy_lacks({"1,0,1"}, newest_failure),
        runs("a CAS between two stores", {{{write(x, 1), write(x, 2)}, {weak(1, 5)}}}, {"0,2", "1,2", "2,2"}),
        runs("a failing CAS, then a load", {{{write(x, 1), write(x, 2)}, {weak(7, 8), read(x)}}},
             {"0,0,2", "0,1,2", "0,2,2", "1,1,2", "1,2,2", "2,2,2"}),
        runs("a load, then a CAS", {{{write(x, 1)}, {read(x), weak(1, 2)}}}, {"0,0,1", "0,1,2", "1,1,2"}),
        runs("the same CAS twice", {{{write(x, 1)}, {weak(1, 2), weak(1, 2)}}}, {"0,0,1", "0,1,2", "1,2,2"}),
        runs("a chain of CAS against one more", {{{weak(0, 1), weak(1, 2)}, {weak(1, 3)}}},
             {"0,1,0,2", "0,1,2,2", "0,3,1,3"}),
    };
}

std::vector<litmus_row> seq_cst_failures() {
    const auto loading = [](int expected, std::memory_order failure) -> rc11::program {
        return {{{write(x, 1, seq_cst), cas(y, expected, 8, seq_cst, failure)},
                 {write(y, 1, seq_cst), cas(x, expected, 8, seq_cst, failure)}}};
    };
    const auto storing = [](std::memory_order success, std::memory_order failure,
                            std::memory_order load) -> rc11::program {
        return {{{cas(x, 0, 1, success, failure), read(y, load)}, {cas(y, 0, 1, success, failure), read(x, load)}}};
    };
    const outcome_set ordered{"0,1,1,1", "1,0,1,1", "1,1,1,1"};
    const outcome_set unordered{"0,0,1,1", "0,1,1,1", "1,0,1,1", "1,1,1,1"};
    return {
        runs("SB, failing CAS(seq_cst, seq_cst) as loads", loading(7, seq_cst), ordered),
        runs("SB, failing CAS(seq_cst, acquire) as loads", loading(7, acquire), unordered)
            .relacy_lacks({"0,0,1,1"}, newest_failure),
        runs("SB, failing CAS(seq_cst, relaxed) as loads", loading(7, relaxed), unordered)
            .relacy_lacks({"0,0,1,1"}, newest_failure),
        runs("SB, CAS(seq_cst, relaxed) as loads, successful where nothing was stored", loading(0, relaxed), ordered),
        runs("SB, CAS(seq_cst, relaxed) as stores, seq_cst loads", storing(seq_cst, relaxed, seq_cst),
             {"0,0,0,1", "0,1,0,0", "0,1,0,1"}),
        runs("SB, CAS(acq_rel, acquire) as stores, acquire loads", storing(acq_rel, acquire, acquire),
             {"0,0,0,0", "0,0,0,1", "0,1,0,0", "0,1,0,1"}),
    };
}

}  // namespace

litmus_table compare_exchange_shapes() {
    litmus_table table{
        "Compare-exchange in the shapes",
        "The values that operations and loads found, in the order of the threads, then the last value of what two "
        "threads may change. CAS(a, b) has a for its success and b for its failure; it is strong. A failing one is a "
        "load with the order of failure, and may be stale as a load; a successful one finds the newest value.",
        "[atomics.types.operations], compare_exchange_strong; [atomics.order]/10.",
        {}};
    for (auto& group : {passing(), stale(), seq_cst_failures()}) {
        table.rows.insert(table.rows.end(), group.begin(), group.end());
    }
    return table;
}

}  // namespace ordeal::model_tests
