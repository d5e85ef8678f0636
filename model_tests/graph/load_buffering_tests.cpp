// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load buffering: programs that have it say so. The promise machine of promising.hpp has it by brute force, and shares
// nothing with the engine. ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/promising.hpp"
#include "model_tests/graph/random_seed.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

constexpr order rlx = order::relaxed;
constexpr order acq = order::acquire;
constexpr order rel = order::release;

constexpr int x = 0;
constexpr int y = 1;
constexpr int z = 2;

program load_buffering(order first_load, order first_store, order second_load, order second_store) {
    return {{{load(x, first_load), store(y, 1, first_store)}, {load(y, second_load), store(x, 1, second_store)}}};
}

program fenced(order how) {
    return {{{load(x, rlx), fence(how), store(y, 1, rlx)}, {load(y, rlx), fence(how), store(x, 1, rlx)}}};
}

struct example {
    const char* name;
    program what;
    bool buffers;  ///< has outcomes that RC11 has not
    bool named;    ///< by a limit of the engine, under RC11
    bool followed = true;
};

// Where the two differ, the engine does not know of a dependency.
std::vector<example> examples() {
    return {
        {"relaxed", load_buffering(rlx, rlx, rlx, rlx), true, true},
        {"one side acquires", load_buffering(acq, rlx, rlx, rlx), true, true},
        {"one side releases", load_buffering(rlx, rel, rlx, rlx), true, true},
        {"one side does both", load_buffering(acq, rel, rlx, rlx), true, true},
        {"acquire on both sides", load_buffering(acq, rlx, acq, rlx), false, false},
        {"release on both sides", load_buffering(rlx, rel, rlx, rel), false, false},
        {"release against acquire", load_buffering(rlx, rel, acq, rlx), false, false},
        {"acquire fences", fenced(acq), false, false},
        {"release fences", fenced(rel), false, false},
        {"a fence on one side",
         {{{load(x, rlx), fence(rel), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}}},
         true,
         true},
        {"three threads",
         {{{load(x, rlx), store(y, 1, rlx)}, {load(y, rlx), store(z, 1, rlx)}, {load(z, rlx), store(x, 1, rlx)}}},
         true,
         true},
        {"three threads, one that buffers",
         {{{load(x, rlx), store(y, 1, rlx)}, {load(y, acq), store(z, 1, rel)}, {load(z, acq), store(x, 1, rel)}}},
         true,
         true},
        {"read-modify-writes",
         {{{fetch_add(x, 1, rlx), fetch_add(y, 1, rlx)}, {fetch_add(y, 1, rlx), fetch_add(x, 1, rlx)}}},
         true,
         true},
        {"a read-modify-write comes before one that is a future read",
         {{{fetch_add(x, 1, rlx), fetch_add(y, 1, order::acq_rel)}, {fetch_add(y, 1, rel), fetch_add(x, 1, rlx)}}},
         true,
         true},
        {"what a preceding read-modify-write adds is read back",
         {{{fetch_add(z, 2, rlx), load(z, rlx), store(y, 1, rlx)}, {load(y, acq), exchange(z, 1, rlx)}}},
         true,
         true},
        {"a read-modify-write whose read is a future read comes behind one that reads what it has read",
         {{{fetch_add(y, 2, acq), fetch_add(x, 2, acq)},
           {compare_exchange(x, 2, 1, acq, rlx)},
           {exchange(x, 1, rlx), exchange(y, 2, acq)}}},
         true,
         true},
        {"an acquire reads what the thread itself makes of the future read",
         {{{fetch_add(z, 2, rlx), load(z, acq), store(y, 1, rlx)}, {load(y, acq), exchange(z, 1, rlx)}}},
         false,
         false},
        {"an acquire reads what the thread has stored of the future read",
         {{{load(x, rlx), store_register(z, 0, rlx), load(z, acq), store(y, 1, rlx)},
           {load(y, acq), store_register(x, 0, rlx)}}},
         false,
         false},
        {"a release, then an acquiring exchange between",
         {{{load(x, rlx), store(z, 1, rel), exchange(z, 2, acq), store(y, 1, rlx)}, {load(y, acq), store(x, 1, rlx)}}},
         false,
         false},
        {"a release, then an acquiring load between",
         {{{load(x, rlx), store(z, 1, rel), load(y, acq), store(y, 1, rlx)}, {load(y, acq), store(x, 1, rlx)}}},
         true,
         true},
        {"an acquire reads what its own thread has released",
         {{{load(x, rlx), store(z, 1, rel), load(z, acq), store(y, 1, rlx)}, {load(y, acq), store(x, 1, rlx)}}},
         true,
         true},
        {"an acquire reads what its own thread has exchanged and released",
         {{{load(x, rlx), exchange(z, 2, order::acq_rel), load(z, acq), store(y, 1, rlx)},
           {load(y, acq), store(x, 1, rlx)}}},
         false,
         false},
        {"an exchange that no execution without load buffering has",
         {{{fetch_add(x, 2, rlx), compare_exchange(y, 0, 3, rlx, acq)},
           {load(y, acq), compare_exchange(x, 0, 2, rlx, rlx)}}},
         true,
         true},
        {"a compare-exchange that succeeds where it is no future read, and fails where it is",
         {{{compare_exchange(x, 0, 1, rlx, rlx), store(y, 1, rlx)},
           {load(y, acq), compare_exchange(x, 0, 2, rel, rlx)}}},
         true,
         true},
        {"a preceding read-modify-write happens before the source",
         {{{fetch_add(x, 1, rlx), fetch_add(z, 1, rel), store(y, 1, rlx)},
           {load(y, rlx), fetch_add(z, 1, acq), fetch_add(x, 1, rlx)}}},
         true,
         true,
         false},
        {"an exchange between",
         {{{load(x, rlx), exchange(z, 1, order::acq_rel), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rel)}}},
         true,
         true},
        {"both values depend on what was read",
         {{{load(x, rlx), store_register(y, 0, rlx)}, {load(y, rlx), store_register(x, 0, rlx)}}},
         false,
         true},
        {"one value depends on what was read",
         {{{load(x, rlx), store_register(y, 0, rlx)}, {load(y, rlx), store(x, 1, rlx)}}},
         true,
         true},
        {"a store of either branch",
         {{{load(x, rlx), store(y, 1, rlx).when(0, 0), store(y, 1, rlx).when(0, 1)},
           {load(y, rlx), store_register(x, 0, rlx)}}},
         true,
         true},
        {"a store of either branch, one of which releases",
         {{{load(x, rlx), store(y, 1, rlx).when(0, 0), store(y, 1, rel).when(0, 1)},
           {load(y, rlx), store_register(x, 0, rlx)}}},
         false,
         true},
        {"the same value is stored twice, and read of the second store",
         {{{load(x, rlx), store(y, 1, rlx), store(y, 1, rlx), load(x, acq)}, {load(y, rlx), store(x, 1, rlx)}}},
         true,
         true},
        {"two future reads of one thread",
         {{{load(x, rlx), load(z, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx), store(z, 1, rlx)}}},
         true,
         true},
        {"a future read of each thread",
         {{{load(z, rlx), load(x, rlx), store_register(y, 1, rlx)},
           {load(y, rlx), store_register(z, 0, rlx), store(x, 1, rlx)}}},
         true,
         true},
        {"a value out of thin air beside a store that could have made it",
         {{{load(x, rlx), store_register(y, 0, rlx)},
           {load(y, rlx), store_register(x, 0, rlx)},
           {store(z, 1, rlx)},
           {load(z, rlx), store_register(x, 0, rlx)}}},
         false,
         true},
        {"one location alone", {{{load(x, rlx), store(x, 1, rlx)}, {load(x, rlx), store(x, 2, rlx)}}}, false, false},
        {"counters in one order",
         {{{fetch_add(x, 1, rlx), fetch_add(y, 1, rlx)}, {fetch_add(x, 1, rlx), fetch_add(y, 1, rlx)}}},
         false,
         false},
        {"message passing", {{{store(x, 1, rlx), store(y, 1, rel)}, {load(y, acq), load(x, rlx)}}}, false, false},
        {"store buffering", {{{store(x, 1, rlx), load(y, rlx)}, {store(y, 1, rlx), load(x, rlx)}}}, false, false},
    };
}

std::set<std::string> outcomes_of_rc11(const census& counted) {
    std::set<std::string> result;
    for (const auto& [outcome, ignored] : counted.outcomes) result.insert(outcome);
    return result;
}

bool names_load_buffering(const search_result& result) { return has_limit(result, "load-buffering"); }

// The machine fulfils a promise on whatever branch, processors wait for what a branch depends on: there the engine
// names the letter of C++20.
bool branches(const program& what) {
    return std::ranges::any_of(what.threads, [](const auto& thread) {
        return std::ranges::any_of(thread,
                                   [](const instruction& each) { return each.guard != none || each.source != none; });
    });
}

search_options under(memory_model which) {
    search_options how = full_search();
    how.model = which;
    return how;
}

// Every other one is near to a program that buffers.
program some_program(std::uint64_t seed) {
    if (seed % 2 == 0) {
        static const std::vector<example> originals = examples();
        return random_variation(originals[seed / 2 % originals.size()].what, seed, share::none);
    }
    static const std::vector<program_shape> shapes{
        {.threads = 2, .locations = 2, .instructions = 4, .fences = share::none, .seq_cst = share::none},
        {.threads = 2, .locations = 3, .instructions = 3, .fences = share::some, .seq_cst = share::none},
        {.threads = 3, .locations = 3, .instructions = 2, .fences = share::none, .seq_cst = share::none},
        {.threads = 3, .locations = 2, .instructions = 2, .modifications = share::most, .seq_cst = share::none},
        {.threads = 4, .locations = 3, .instructions = 2, .modifications = share::most, .seq_cst = share::none},
        {.threads = 3, .locations = 2, .instructions = 3, .modifications = share::most, .seq_cst = share::none},
        {.threads = 2, .locations = 2, .instructions = 5, .modifications = share::most, .seq_cst = share::none},
    };
    return random_program(shapes[seed / 2 % shapes.size()], seed);
}

}  // namespace

TEST_CASE("Programs of the literature with load buffering name it, and those without it do not") {
    for (const example& each : examples()) {
        CAPTURE(each.name);
        const auto counted = count_executions(each.what);
        const auto promising = promising_outcomes(each.what);
        REQUIRE(counted);
        REQUIRE(promising);
        CHECK((*promising != outcomes_of_rc11(*counted)) == each.buffers);
        const search_result result = graph_search(as_scenario(each.what), under(memory_model::rc11));
        CHECK(names_load_buffering(result) == each.named);
        CHECK(to_string(result.verdict) == to_string(each.named ? verdict::held_within : verdict::held));
    }
}

TEST_CASE("Without promises the promise machine has the outcomes of RC11") {
    const std::uint64_t programs = from_environment("ORDEAL_PROGRAMS", 200);
    const std::uint64_t first = first_seed();
    for (std::uint64_t seed = first; seed < first + programs; ++seed) {
        const program what = some_program(seed);
        INFO("seed " << seed << '\n' << to_string(what));
        const auto counted = count_executions(what, {.prune = true, .limit = 20'000});
        const auto machine = promising_outcomes(what, {.promises = false});
        if (counted && machine) CHECK(*machine == outcomes_of_rc11(*counted));
    }
}

TEST_CASE("A random program with an outcome beyond those of RC11 names load buffering") {
    const std::uint64_t programs = from_environment("ORDEAL_PROGRAMS", 150);
    const std::uint64_t first = first_seed();
    std::uint64_t compared = 0;
    std::uint64_t that_buffer = 0;
    std::uint64_t that_name_it = 0;
    for (std::uint64_t seed = first; seed < first + programs; ++seed) {
        const program what = some_program(seed);
        INFO("seed " << seed << '\n' << to_string(what));
        const auto rc11 = promising_outcomes(what, {.promises = false});
        const auto promising = promising_outcomes(what);
        if (!rc11 || !promising) continue;
        ++compared;
        CHECK(std::ranges::includes(*promising, *rc11));
        const bool buffers = *promising != *rc11;
        const search_result result = graph_search(as_scenario(what), under(memory_model::rc11));
        const bool named = names_load_buffering(result);
        const bool by_letter = branches(what) && has_limit(result, "load-buffering-by-letter");
        that_buffer += buffers ? 1 : 0;
        that_name_it += named ? 1 : 0;
        CHECK((named || by_letter || !buffers));
    }
    CAPTURE(first, compared, that_buffer, that_name_it);
    CHECK(compared > programs / 2);
    CHECK(that_buffer > programs / 50);
    CHECK(that_name_it < compared / 2);
    if (from_environment("ORDEAL_VERBOSE", 0) == 1) WARN(that_name_it);
}

TEST_CASE("A search with load buffering has the outcomes of the promise machine") {
    const std::uint64_t programs = from_environment("ORDEAL_PROGRAMS", 150);
    const std::uint64_t first = first_seed();
    std::uint64_t compared = 0;
    std::uint64_t whole = 0;
    std::uint64_t that_buffer = 0;
    // Returns whether all was followed.
    const auto compare = [&](const program& what) {
        const auto rc11 = promising_outcomes(what, {.promises = false});
        const auto promising = promising_outcomes(what);
        if (!rc11 || !promising) return false;
        const search_result result = graph_search(as_scenario(what), under(memory_model::cpp20));
        CAPTURE(result.message, result.limits);
        const std::set<std::string> outcomes = outcomes_of(result);
        ++compared;
        CHECK(std::ranges::includes(outcomes, *rc11));
        CHECK(std::ranges::includes(*promising, outcomes));
        if (names_load_buffering(result)) return false;
        ++whole;
        that_buffer += outcomes != *rc11 ? 1 : 0;
        // The machine fulfils a promise on whatever branch.
        if (!has_limit(result, "load-buffering-by-letter") || !branches(what)) CHECK(outcomes == *promising);
        return true;
    };
    for (const example& each : examples()) {
        CAPTURE(each.name);
        CHECK(compare(each.what) == each.followed);
    }
    const bool verbose = from_environment("ORDEAL_VERBOSE", 0) == 1;
    for (std::uint64_t seed = first; seed < first + programs; ++seed) {
        const program what = some_program(seed);
        INFO("seed " << seed << '\n' << to_string(what));
        if (!compare(what) && verbose) WARN("not all was followed: seed " << seed << '\n' << to_string(what));
    }
    CAPTURE(first, compared, whole, that_buffer);
    CHECK(whole > compared * 9 / 10);
    CHECK(that_buffer > programs / 50);
    if (verbose) WARN(compared << ' ' << whole << ' ' << that_buffer);
}

}  // namespace ordeal::model_tests::rc11
