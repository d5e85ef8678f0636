// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/processors/known_programs.hpp"

#include <optional>
#include <utility>

namespace ordeal::model_tests::rc11 {

using namespace detail;
using processors::allowance;

namespace {

constexpr order rlx = order::relaxed;
constexpr order acq = order::acquire;
constexpr order rel = order::release;
constexpr order both = order::acq_rel;
constexpr order sc = order::seq_cst;
constexpr int x = 0;
constexpr int y = 1;
constexpr int z = 2;
constexpr auto no = allowance::forbidden;
constexpr auto dep = allowance::unless_dependent;
constexpr auto yes = allowance::allowed;

program sb(order store_order, order load_order, std::optional<order> between = std::nullopt) {
    program result{{{store(x, 1, store_order)}, {store(y, 1, store_order)}}};
    for (auto& thread : result.threads) {
        if (between) thread.push_back(fence(*between));
    }
    result.threads[0].push_back(load(y, load_order));
    result.threads[1].push_back(load(x, load_order));
    return result;
}

}  // namespace

std::vector<known_program> known_programs() {
    const std::string both_old = "0:0|1:0|x=1,y=1";
    const auto mp = [](order to, order from) {
        return program{{{store(x, 1, rlx), store(y, 1, to)}, {load(y, from), load(x, rlx)}}};
    };
    const std::string stale = "0:|1:1,0|x=1,y=1";
    const auto iriw = [](order from) {
        return program{
            {{store(x, 1, rlx)}, {store(y, 1, rlx)}, {load(x, from), load(y, from)}, {load(y, from), load(x, from)}}};
    };
    const std::string both_ways = "0:|1:|2:1,0|3:1,0|x=1,y=1";
    const auto wrc = [](order to, order from) {
        return program{{{store(x, 1, rlx)}, {load(x, rlx), store(y, 1, to)}, {load(y, from), load(x, rlx)}}};
    };
    const std::string seen_and_missed = "0:|1:1|2:1,0|x=1,y=1";
    const auto exchanged = [](order how) {
        return program{{{exchange(x, 1, how), load(y, rlx)}, {exchange(y, 1, how), load(x, rlx)}}};
    };
    return {
        {"SB", sb(rlx, rlx), both_old, {yes, yes, yes, yes, yes}},
        {"SB, release and acquire", sb(rel, acq), both_old, {yes, no, no, yes, yes}},
        {"SB, seq_cst", sb(sc, sc), both_old, {no, no, no, no, no}},
        {"SB, acq_rel fences", sb(rlx, rlx, both), both_old, {yes, no, no, yes, yes}},
        {"SB, seq_cst fences", sb(rlx, rlx, sc), both_old, {no, no, no, no, no}},
        {"SB, relaxed exchanges", exchanged(rlx), "0:0,0|1:0,0|x=1,y=1", {no, yes, yes, dep, yes}},
        {"SB, acq_rel exchanges", exchanged(both), "0:0,0|1:0,0|x=1,y=1", {no, yes, yes, no, yes}},
        {"SB, an acq_rel exchange of another location between, a seq_cst fence",
         {{{store(x, 1, rlx), exchange(z, 1, both), load(y, rlx)}, {store(y, 1, rlx), fence(sc), load(x, rlx)}}},
         "0:0,0|1:0|x=1,y=1,z=1",
         {no, yes, no, no, yes}},
        {"MP", mp(rlx, rlx), stale, {no, yes, yes, yes, yes}},
        {"MP, release", mp(rel, rlx), stale, {no, dep, dep, dep, dep}},
        {"MP, acquire", mp(rlx, acq), stale, {no, yes, yes, yes, yes}},
        {"MP, release and acquire", mp(rel, acq), stale, {no, no, no, no, no}},
        {"MP, fences",
         {{{store(x, 1, rlx), fence(rel), store(y, 1, rlx)}, {load(y, rlx), fence(acq), load(x, rlx)}}},
         stale,
         {no, no, no, no, no}},
        {"S",
         {{{store(x, 2, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}}},
         "0:|1:1|x=2,y=1",
         {no, yes, yes, yes, yes}},
        {"S, release",
         {{{store(x, 2, rlx), store(y, 1, rel)}, {load(y, rlx), store(x, 1, rlx)}}},
         "0:|1:1|x=2,y=1",
         {no, dep, dep, dep, dep}},
        {"2+2W",
         {{{store(x, 1, rlx), store(y, 2, rlx)}, {store(y, 1, rlx), store(x, 2, rlx)}}},
         "0:|1:|x=1,y=1",
         {no, yes, yes, yes, yes}},
        {"2+2W, release",
         {{{store(x, 1, rlx), store(y, 2, rel)}, {store(y, 1, rlx), store(x, 2, rel)}}},
         "0:|1:|x=1,y=1",
         {no, no, no, no, no}},
        {"R, release and acquire",
         {{{store(x, 1, rlx), store(y, 1, rel)}, {store(y, 2, rel), load(x, acq)}}},
         "0:|1:0|x=1,y=2",
         {yes, no, no, yes, yes}},
        {"IRIW", iriw(rlx), both_ways, {no, dep, dep, dep, yes}},
        {"IRIW, acquire", iriw(acq), both_ways, {no, no, no, no, yes}},
        {"IRIW, seq_cst", iriw(sc), both_ways, {no, no, no, no, no}},
        {"WRC", wrc(rlx, rlx), seen_and_missed, {no, dep, dep, dep, yes}},
        {"WRC, release and acquire", wrc(rel, acq), seen_and_missed, {no, no, no, no, no}},
        {"ISA2, release first",
         {{{store(x, 1, rlx), store(y, 1, rel)}, {load(y, rlx), store(z, 1, rlx)}, {load(z, rlx), load(x, rlx)}}},
         "0:|1:1|2:1,0|x=1,y=1,z=1",
         {no, dep, dep, dep, dep}},
        {"RWC, acquire and a seq_cst fence",
         {{{store(x, 1, rlx)}, {load(x, acq), load(y, rlx)}, {store(y, 1, rlx), fence(sc), load(x, rlx)}}},
         "0:|1:1,0|2:0|x=1,y=1",
         {no, no, no, no, yes}},
        {"W+RWC, release, acquire and a seq_cst fence",
         {{{store(x, 1, rlx), store(y, 1, rel)},
           {load(y, acq), load(z, rlx)},
           {store(z, 1, rlx), fence(sc), load(x, rlx)}}},
         "0:|1:1,0|2:0|x=1,y=1,z=1",
         {no, no, no, no, yes}},
    };
}

}  // namespace ordeal::model_tests::rc11
