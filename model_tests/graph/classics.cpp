// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/classics.hpp"

namespace ordeal::model_tests::rc11 {

namespace {

constexpr order rlx = order::relaxed;
constexpr order acq = order::acquire;
constexpr order rel = order::release;
constexpr order acq_rel = order::acq_rel;
constexpr order sc = order::seq_cst;

constexpr int x = 0;
constexpr int y = 1;
constexpr int z = 2;

constexpr bool allowed = true;
constexpr bool forbidden = false;

program store_buffering(order writing, order reading) {
    return {{{store(x, 1, writing), load(y, reading)}, {store(y, 1, writing), load(x, reading)}}};
}
program store_buffering(order first, order second, int fenced_threads) {
    program result = store_buffering(rlx, rlx);
    for (std::size_t thread = 0; thread < static_cast<std::size_t>(fenced_threads); ++thread) {
        thread_code& code = result.threads[thread];
        code.insert(code.begin() + 1, fence(thread == 0 ? first : second));
    }
    return result;
}
program message_passing(order writing, order reading) {
    return {{{store(x, 1, rlx), store(y, 1, writing)}, {load(y, reading), load(x, rlx)}}};
}
program two_writes_each(order how) {
    return {{{store(x, 1, how), store(y, 2, how)}, {store(y, 1, how), store(x, 2, how)}}};
}
program independent_reads(order writing, order first, order second) {
    return {{{store(x, 1, writing)},
             {store(y, 1, writing)},
             {load(x, first), load(y, second)},
             {load(y, first), load(x, second)}}};
}
// POWER shows an outcome of this that C++11 forbade.
program two_against_an_increment(order writing, order reading) {
    return {{{store(x, 1, sc), store(y, 1, writing)},
             {fetch_add(y, 1, sc), load(y, reading)},
             {store(y, 3, sc), load(x, sc)}}};
}
// Thread 1 sees the write of thread 0 and is before the write of thread 2, which does not see that of thread 0.
program read_to_write_causality(order reading, order writing, order last) {
    return {{{store(x, 1, rlx)},
             {load(x, reading), fence(writing), load(y, rlx)},
             {store(y, 1, rlx), fence(last), load(x, rlx)}}};
}

classic_group store_buffering_group() {
    constexpr auto both_old = "0:0|1:0|x=1,y=1";
    return {"store buffering is ruled out by seq_cst alone",
            {
                {"SB relaxed", store_buffering(rlx, rlx), both_old, allowed, 4},
                {"SB release acquire", store_buffering(rel, acq), both_old, allowed, 4},
                {"SB seq_cst", store_buffering(sc, sc), both_old, forbidden, 3},
                {"SB seq_cst stores", store_buffering(sc, acq), both_old, allowed, 4},
                {"SB seq_cst fences", store_buffering(sc, sc, 2), both_old, forbidden, 3},
                {"SB one seq_cst fence", store_buffering(sc, sc, 1), both_old, allowed, 4},
                {"SB acq_rel fences", store_buffering(sc, acq_rel, 2), both_old, allowed, 4},
                {"SB, a seq_cst fence against seq_cst accesses",
                 {{{store(x, 1, rlx), fence(sc), load(y, rlx)}, {store(y, 1, sc), load(x, sc)}}},
                 both_old,
                 forbidden,
                 3},
                {"SB with read-modify-writes of a third location",
                 {{{store(x, 1, rlx), fetch_add(z, 0, acq_rel), load(y, rlx)},
                   {store(y, 1, rlx), fetch_add(z, 0, acq_rel), load(x, rlx)}}},
                 "0:0,0|1:0,0|x=1,y=1,z=0",
                 forbidden,
                 4},
            }};
}

classic_group message_passing_group() {
    constexpr auto stale = "0:|1:1,0|x=1,y=1";
    return {"message passing needs release and acquire, on the accesses or as fences",
            {
                {"MP relaxed", message_passing(rlx, rlx), stale, allowed, 4},
                {"MP release relaxed", message_passing(rel, rlx), stale, allowed, 4},
                {"MP relaxed acquire", message_passing(rlx, acq), stale, allowed, 4},
                {"MP release acquire", message_passing(rel, acq), stale, forbidden, 3},
                {"MP fences",
                 {{{store(x, 1, rlx), fence(rel), store(y, 1, rlx)}, {load(y, rlx), fence(acq), load(x, rlx)}}},
                 stale,
                 forbidden,
                 3},
                {"MP fences on the wrong side",
                 {{{fence(rel), store(x, 1, rlx), store(y, 1, rlx)}, {load(y, rlx), load(x, rlx), fence(acq)}}},
                 stale,
                 allowed,
                 4},
                {"MP, a failing compare-exchange acquires",
                 {{{store(x, 1, rlx), store(y, 1, rel)}, {compare_exchange(y, 0, 5, rlx, acq), load(x, rlx)}}},
                 stale,
                 forbidden,
                 3},
                {"MP, only a succeeding compare-exchange would acquire",
                 {{{store(x, 1, rlx), store(y, 1, rel)}, {compare_exchange(y, 0, 5, acq, rlx), load(x, rlx)}}},
                 stale,
                 allowed,
                 4},
            }};
}

classic_group thin_air_group() {
    return {"nothing comes out of thin air",
            {
                {"LB relaxed",
                 {{{load(x, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}}},
                 "0:1|1:1|x=1,y=1",
                 forbidden,
                 3},
                {"LB with dependencies",
                 {{{load(x, rlx), store_register(y, 0, rlx)}, {load(y, rlx), store_register(x, 0, rlx)}}},
                 "0:0|1:0|x=0,y=0",
                 allowed,
                 3},
                {"LB with conditions",
                 {{{load(x, rlx), store(y, 1, rlx).when(0, 1)}, {load(y, rlx), store(x, 1, rlx).when(0, 1)}}},
                 "0:1|1:1|x=1,y=1",
                 forbidden,
                 1},
                {"What a condition skips has no value",
                 {{{load(x, rlx), load(y, rlx).when(0, 1)}, {store(x, 1, rlx)}}},
                 "0:0,-|1:|x=1,y=0",
                 allowed,
                 2},
            }};
}

classic_group coherence_group() {
    return {"one location is coherent",
            {
                {"CoWW", {{{store(x, 1, rlx), store(x, 2, rlx)}}}, "0:|x=1", forbidden, 1},
                {"CoRR", {{{store(x, 1, rlx)}, {load(x, rlx), load(x, rlx)}}}, "0:|1:1,0|x=1", forbidden, 3},
                {"CoWR", {{{store(x, 1, rlx), load(x, rlx)}, {store(x, 2, rlx)}}}, "0:2|1:|x=1", forbidden, 3},
                {"CoRW", {{{load(x, rlx), store(x, 1, rlx)}, {store(x, 2, rlx)}}}, "0:2|1:|x=2", forbidden, 3},
                {"2+2W relaxed", two_writes_each(rlx), "0:|1:|x=1,y=1", allowed, 4},
                {"2+2W release", two_writes_each(rel), "0:|1:|x=1,y=1", allowed, 4},
                {"2+2W seq_cst", two_writes_each(sc), "0:|1:|x=1,y=1", forbidden, 3},
                {"S",
                 {{{store(x, 2, rlx), store(y, 1, rel)}, {load(y, acq), store(x, 1, rlx)}}},
                 "0:|1:1|x=2,y=1",
                 forbidden,
                 3},
                {"S relaxed",
                 {{{store(x, 2, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}}},
                 "0:|1:1|x=2,y=1",
                 allowed,
                 4},
                {"R release acquire",
                 {{{store(x, 1, rel), store(y, 1, rel)}, {store(y, 2, rel), load(x, acq)}}},
                 "0:|1:0|x=1,y=2",
                 allowed,
                 4},
                {"R seq_cst",
                 {{{store(x, 1, sc), store(y, 1, sc)}, {store(y, 2, sc), load(x, sc)}}},
                 "0:|1:0|x=1,y=2",
                 forbidden,
                 3},
            }};
}

classic_group modification_group() {
    return {
        "read-modify-writes are atomic and continue a release sequence, plain stores do not",
        {
            {"Two increments", {{{fetch_add(x, 1, rlx)}, {fetch_add(x, 1, rlx)}}}, "0:0|1:0|x=1", forbidden, 2},
            {"Two compare-exchanges",
             {{{compare_exchange(x, 0, 1, rlx, rlx)}, {compare_exchange(x, 0, 2, rlx, rlx)}}},
             "0:2|1:0|x=2",
             allowed,
             2},
            {"A store between the halves", {{{exchange(x, 1, rlx)}, {store(x, 2, rlx)}}}, "0:0|1:|x=1", forbidden, 2},
            {"Another thread's increment continues",
             {{{store(x, 1, rlx), store(y, 1, rel)}, {fetch_add(y, 2, rlx)}, {load(y, acq), load(x, rlx)}}},
             "0:|1:1|2:3,0|x=1,y=3",
             forbidden,
             9},
            {"Two increments continue",
             {{{store(x, 1, rlx), store(y, 1, rel)},
               {fetch_add(y, 2, rlx), fetch_add(y, 4, rlx)},
               {load(y, acq), load(x, rlx)}}},
             "0:|1:1,3|2:7,0|x=1,y=7",
             forbidden,
             18},
            {"The thread's own store does not continue",
             {{{store(x, 1, rlx), store(y, 1, rel), store(y, 2, rlx)}, {load(y, acq), load(x, rlx)}}},
             "0:|1:2,0|x=1,y=2",
             allowed,
             5},
            {"The thread's own increment continues",
             {{{store(x, 1, rlx), store(y, 1, rel), fetch_add(y, 1, rlx)}, {load(y, acq), load(x, rlx)}}},
             "0:1|1:2,0|x=1,y=2",
             forbidden,
             4},
        }};
}

classic_group causality_group() {
    return {
        "causality over three and four threads",
        {
            {"WRC",
             {{{store(x, 1, rlx)}, {load(x, acq), store(y, 1, rel)}, {load(y, acq), load(x, rlx)}}},
             "0:|1:1|2:1,0|x=1,y=1",
             forbidden,
             7},
            {"WRC relaxed",
             {{{store(x, 1, rlx)}, {load(x, rlx), store(y, 1, rlx)}, {load(y, rlx), load(x, rlx)}}},
             "0:|1:1|2:1,0|x=1,y=1",
             allowed,
             8},
            {"ISA2",
             {{{store(x, 1, rlx), store(y, 1, rel)}, {load(y, acq), store(z, 1, rel)}, {load(z, acq), load(x, rlx)}}},
             "0:|1:1|2:1,0|x=1,y=1,z=1",
             forbidden,
             7},
            {"IRIW release acquire", independent_reads(rel, acq, acq), "0:|1:|2:1,0|3:1,0|x=1,y=1", allowed, 16},
            {"IRIW seq_cst", independent_reads(sc, sc, sc), "0:|1:|2:1,0|3:1,0|x=1,y=1", forbidden, 15},
            {"IRIW-acq-sc", independent_reads(sc, acq, sc), "0:|1:|2:1,0|3:1,0|x=1,y=1", allowed, 16},
        }};
}

classic_group seq_cst_group() {
    const thread_code write_both{store(x, 1, rlx), store(y, 1, rel)};
    return {
        "seq_cst is that of RC11, stronger for fences and weaker for accesses than that of C++11",
        {
            {"RWC with seq_cst fences", read_to_write_causality(rlx, sc, sc), "0:|1:1,0|2:0|x=1,y=1", forbidden, 7},
            {"RWC with acq_rel fences", read_to_write_causality(rlx, acq_rel, sc), "0:|1:1,0|2:0|x=1,y=1", allowed, 8},
            {"W+RWC with seq_cst fences",
             {{write_both, {load(y, acq), fence(sc), load(z, rlx)}, {store(z, 1, rlx), fence(sc), load(x, rlx)}}},
             "0:|1:1,0|2:0|x=1,y=1,z=1",
             forbidden,
             7},
            {"W+RWC with seq_cst accesses",
             {{{store(x, 1, sc), store(y, 1, rel)}, {load(y, acq), load(z, sc)}, {store(z, 1, sc), load(x, sc)}}},
             "0:|1:1,0|2:0|x=1,y=1,z=1",
             forbidden,
             7},
            {"W+RWC with one relaxed read",
             {{{store(x, 1, sc), store(y, 1, rel)}, {load(y, acq), load(z, sc)}, {store(z, 1, sc), load(x, rlx)}}},
             "0:|1:1,0|2:0|x=1,y=1,z=1",
             allowed,
             8},
            {"Z6.U", two_against_an_increment(rel, rlx), "0:|1:1,3|2:0|x=1,y=3", allowed, 24},
            {"Z6.U, every order seq_cst", two_against_an_increment(sc, sc), "0:|1:1,3|2:0|x=1,y=3", forbidden, 18},
        }};
}

}  // namespace

std::vector<classic_group> classics() {
    return {
        store_buffering_group(), message_passing_group(), thin_air_group(), coherence_group(),
        modification_group(),    causality_group(),       seq_cst_group(),
    };
}

}  // namespace ordeal::model_tests::rc11
