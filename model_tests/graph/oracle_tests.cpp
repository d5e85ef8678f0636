// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph engine against the oracle, which shares nothing with it: the number of executions and of each outcome must
// be the same. ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/classics.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/graph/shrink.hpp"

#include "ordeal/engine/engines.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

engine& graph_engine() {
    engine* const found = find_engine("graph");
    if (found == nullptr) FAIL("this program has no engine \"graph\"");
    return *found;
}

// With `reduced` one execution may stand for several.
search_result search_all(const program& what, memory_model under, bool reduced = false) {
    search_options how;
    how.reductions.retries = how.reductions.blocked = reduced;
    how.strategy.mode = search_mode::full;
    how.model = under;
    how.bounds.spurious = 0;  // the oracle's try_lock does not fail spuriously
    // The oracle has no load buffering, which is not followed where a search goes on behind violations.
    if (has_load_buffering(under)) how.accept.push_back({violation_kind::frame_misuse, "none", 0});
    search_progress progress;
    return graph_engine().search(as_scenario(what), how, progress);
}

// What the engine says otherwise than the oracle when redundant retries are not followed; empty: nothing.
std::string difference_of_cut(const search_result& found, const census& expected) {
    if (expected.deadlock) return found.kind == violation_kind::deadlock ? "" : "without retries: not a deadlock\n";
    std::string text;
    if (found.verdict != verdict::held && found.verdict != verdict::held_within) {
        text += fmt::format("without retries: {}: {}\n", to_string(found.verdict), found.message);
    }
    if (!found.complete) text += "without retries the search is not complete\n";
    std::map<std::string, std::uint64_t> all = expected.outcomes;
    all.insert(found.outcomes.begin(), found.outcomes.end());
    for (const auto& [outcome, ignored] : all) {
        if (found.outcomes.contains(outcome) && expected.outcomes.contains(outcome)) continue;
        text += fmt::format("{}: only the {} has it, without retries\n", outcome,
                            found.outcomes.contains(outcome) ? "engine" : "oracle");
    }
    return text;
}

// The same when they are followed.
std::string difference(const search_result& found, const census& expected) {
    std::string text;
    if (expected.deadlock) {  // of which a search finds the first
        const bool same = found.verdict == verdict::violated && found.kind == violation_kind::deadlock;
        return same ? "" : fmt::format("verdict: {}, and not a deadlock\n", to_string(found.verdict));
    }
    const bool limited =
        found.verdict == verdict::held_within && std::ranges::all_of(found.limits, [](const limit& each) {
            return each.id == "memory-model" || each.id == "spurious-failures" || each.id.starts_with("load-buffering");
        });
    if (found.verdict != verdict::held && !limited) {
        text += fmt::format("verdict: {} ({}{}{})\n", to_string(found.verdict),
                            found.kind ? to_string(*found.kind) : "", found.kind ? ": " : "", found.message);
    }
    if (!found.complete) text += "the search is not complete\n";
    if (found.executions != expected.executions) {
        text += fmt::format("executions: engine {}, oracle {}\n", found.executions, expected.executions);
    }
    if (found.blocked != 0) text += fmt::format("blocked executions: engine {}, oracle 0\n", found.blocked);
    const auto count = [](const auto& outcomes, const std::string& which) {
        const auto entry = outcomes.find(which);
        return entry == outcomes.end() ? 0 : entry->second;
    };
    std::map<std::string, std::uint64_t> all = expected.outcomes;
    all.insert(found.outcomes.begin(), found.outcomes.end());
    for (const auto& [outcome, ignored] : all) {
        const std::uint64_t engine_count = count(found.outcomes, outcome);
        const std::uint64_t oracle_count = count(expected.outcomes, outcome);
        if (engine_count == oracle_count) continue;
        text += fmt::format("{}: engine {}, oracle {}\n", outcome, engine_count, oracle_count);
    }
    return text;
}

census_options oracle_options(const axioms& wanted = {}) { return {.wanted = wanted, .prune = true, .limit = 100'000}; }

std::string difference(const program& what, const census& expected, memory_model under) {
    return difference(search_all(what, under), expected) + difference_of_cut(search_all(what, under, true), expected);
}

// As above; empty too where the program is too large for the oracle.
std::string difference(const program& what, const axioms& wanted = {}) {
    const auto expected = count_executions(what, oracle_options(wanted));
    return expected ? difference(what, *expected, wanted.model) : "";
}

enum class comparison : std::uint8_t { made, too_large };

comparison compare(const program& what, memory_model under = memory_model::rc11) {
    INFO(to_string(under));
    INFO(to_string(what));
    const axioms wanted{.model = under};
    const auto expected = count_executions(what, oracle_options(wanted));
    if (!expected) return comparison::too_large;
    const std::string found = difference(what, *expected, under);
    if (found.empty()) return comparison::made;
    if (difference(what, *expected, under).empty()) FAIL(found << "and nothing of that when searched again");
    const program small = shrink(what, [&](const program& smaller) {
        return gives_back_what_it_took(smaller) && !difference(smaller, wanted).empty();
    });
    FAIL(found << "the smallest program with a difference:\n" << to_string(small) << difference(small, wanted));
    return comparison::made;
}

std::string alone(std::uint64_t seed) {
    return fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1 makes this program alone", seed);
}

template <class Make>
void compare_programs(Make make, std::uint64_t usual, memory_model under) {
    const std::uint64_t count = from_environment("ORDEAL_PROGRAMS", usual);
    REQUIRE(count > 0);
    const std::uint64_t first = first_seed();
    std::uint64_t too_large = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        INFO(alone(seed));
        if (compare(make(seed), under) == comparison::too_large) ++too_large;
    }
    CAPTURE(first, count);
    CHECK(too_large <= count / 20);
}

void compare_random_programs(const program_shape& shape, std::uint64_t usual, memory_model under = memory_model::rc11) {
    compare_programs([&](std::uint64_t seed) { return random_program(shape, seed); }, usual, under);
}

void compare_locking_programs(const locking_shape& shape, std::uint64_t usual,
                              memory_model under = memory_model::rc11) {
    compare_programs([&](std::uint64_t seed) { return random_locking_program(shape, seed); }, usual, under);
}

bool some_program_differs(const program_shape& shape, const axioms& wanted) {
    constexpr std::uint64_t enough = 2'000;
    for (std::uint64_t seed = 1; seed <= enough; ++seed) {
        if (!difference(random_program(shape, seed), wanted).empty()) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("The graph engine counts the executions of the classical programs as the oracle does") {
    for (const classic_group& group : classics()) {
        for (const classic& each : group.programs) {
            CAPTURE(group.title, each.name);
            const comparison compared = compare(each.what);
            CHECK(compared == comparison::made);
        }
    }
}

TEST_CASE("The graph engine agrees with the oracle: variations of the classical programs") {
    const std::uint64_t count = from_environment("ORDEAL_PROGRAMS", 2'000);
    REQUIRE(count > 0);
    const std::uint64_t first = first_seed();
    std::vector<program> originals;
    for (const classic_group& group : classics()) {
        for (const classic& each : group.programs) originals.push_back(each.what);
    }
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        INFO(alone(seed));
        const comparison compared = compare(random_variation(originals[seed % originals.size()], seed));
        CHECK(compared == comparison::made);
    }
}

TEST_CASE("The graph engine agrees with the oracle: two threads, loads and stores") {
    compare_random_programs(
        {.locations = 3, .modifications = share::none, .fences = share::none, .seq_cst = share::none}, 200);
}

TEST_CASE("The graph engine agrees with the oracle: two threads, everything") {
    compare_random_programs({.locations = 3}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: two threads, much seq_cst") {
    compare_random_programs({.seq_cst = share::most}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: two threads, read-modify-writes of one location") {
    compare_random_programs({.locations = 1, .modifications = share::most}, 200);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, loads and stores") {
    compare_random_programs({.threads = 3,
                             .locations = 3,
                             .instructions = 3,
                             .modifications = share::none,
                             .fences = share::none,
                             .seq_cst = share::none},
                            200);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, read-modify-writes of one location") {
    compare_random_programs({.threads = 3, .locations = 1, .instructions = 3, .modifications = share::most}, 100);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, no seq_cst") {
    compare_random_programs({.threads = 3, .locations = 3, .instructions = 3, .seq_cst = share::none}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, everything") {
    compare_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: three threads of four instructions") {
    compare_random_programs({.threads = 3, .locations = 3}, 100);
}

TEST_CASE("The graph engine agrees with the oracle: four threads of two instructions") {
    compare_random_programs({.threads = 4, .locations = 3, .instructions = 2}, 200);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, seq_cst accesses") {
    compare_random_programs({.threads = 3, .locations = 3, .instructions = 3, .seq_cst = share::most}, 400);
}

TEST_CASE("The graph engine agrees with the oracle: three threads, seq_cst fences") {
    compare_random_programs(
        {.threads = 3, .locations = 3, .modifications = share::none, .fences = share::most, .seq_cst = share::most},
        400);
}

TEST_CASE("The graph engine agrees with the oracle: two threads with a mutex") {
    compare_locking_programs({}, 300);
    compare_locking_programs({.tries = true}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: three threads with a mutex") {
    compare_locking_programs({.threads = 3, .instructions = 3}, 300);
    compare_locking_programs({.threads = 3, .instructions = 4, .tries = true}, 200);
}

TEST_CASE("The graph engine agrees with the oracle: two mutexes, and what is a deadlock") {
    compare_locking_programs({.instructions = 6, .mutexes = 2}, 300);
    compare_locking_programs({.threads = 3, .instructions = 4, .mutexes = 2, .tries = true}, 300);
}

TEST_CASE("The graph engine agrees with the oracle: a semaphore") {
    compare_locking_programs({.threads = 3, .instructions = 3, .semaphore = true}, 300);
    compare_locking_programs({.threads = 3, .instructions = 4, .mutexes = 2, .tries = true, .semaphore = true}, 200);
}

TEST_CASE("The graph engine agrees with the oracle: mutexes under the stronger models") {
    for (const memory_model under : {memory_model::tso, memory_model::sc}) {
        compare_locking_programs({.threads = 3, .instructions = 3, .mutexes = 2, .tries = true}, 200, under);
    }
}

TEST_CASE("The graph engine agrees with the oracle under sequential consistency") {
    compare_random_programs({.threads = 2, .locations = 3}, 300, memory_model::sc);
    compare_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 300, memory_model::sc);
    compare_random_programs({.threads = 4, .locations = 3, .instructions = 2}, 200, memory_model::sc);
    compare_random_programs({.threads = 3, .locations = 2, .instructions = 3, .modifications = share::most}, 200,
                            memory_model::sc);
}

TEST_CASE("The graph engine agrees with the oracle under TSO") {
    compare_random_programs({.threads = 2, .locations = 3}, 300, memory_model::tso);
    compare_random_programs({.threads = 3, .locations = 3, .instructions = 3}, 300, memory_model::tso);
    compare_random_programs({.threads = 4, .locations = 3, .instructions = 2}, 200, memory_model::tso);
    compare_random_programs({.threads = 3, .locations = 2, .instructions = 3, .modifications = share::most}, 200,
                            memory_model::tso);
    compare_random_programs(
        {.threads = 3, .locations = 3, .instructions = 3, .fences = share::most, .seq_cst = share::most}, 300,
        memory_model::tso);
}

TEST_CASE("The graph engine agrees with the oracle under the order of seq_cst operations of C++20") {
    const auto compare_all = [](const program_shape& shape, std::uint64_t usual) {
        compare_random_programs(shape, usual, memory_model::cpp20_letter);
    };
    compare_all({.seq_cst = share::most}, 200);
    compare_all({.threads = 3, .locations = 3, .instructions = 3}, 300);
    compare_all({.threads = 4, .locations = 3, .instructions = 2, .seq_cst = share::most}, 200);
    compare_all({.threads = 3, .locations = 3, .instructions = 3, .seq_cst = share::most}, 400);
    compare_all({.threads = 3, .locations = 2, .instructions = 3, .modifications = share::most, .seq_cst = share::most},
                300);
    compare_all(
        {.threads = 3, .locations = 3, .modifications = share::none, .fences = share::most, .seq_cst = share::most},
        400);
    compare_all({.threads = 3, .locations = 2, .instructions = 3, .fences = share::most, .seq_cst = share::most}, 400);
    compare_locking_programs({.threads = 3, .instructions = 3, .mutexes = 2, .tries = true}, 200,
                             memory_model::cpp20_letter);
}

TEST_CASE("The graph engine counts the executions of the classical programs under the other models, too") {
    for (const classic_group& group : classics()) {
        for (const classic& each : group.programs) {
            CAPTURE(group.title, each.name);
            CHECK(compare(each.what, memory_model::sc) == comparison::made);
            CHECK(compare(each.what, memory_model::tso) == comparison::made);
            CHECK(compare(each.what, memory_model::cpp20_letter) == comparison::made);
        }
    }
}

TEST_CASE("The comparison with the oracle can fail: an oracle without one of the axioms does not agree") {
    (void)graph_engine();
    const program_shape shape{.threads = 3, .locations = 2, .instructions = 3, .seq_cst = share::most};
    CHECK(some_program_differs(shape, {.coherence = false}));
    CHECK(some_program_differs(shape, {.atomicity = false}));
    CHECK(some_program_differs(shape, {.seq_cst = false}));
    CHECK(some_program_differs(shape, {.model = memory_model::cpp20_letter, .seq_cst = false}));
    CHECK(some_program_differs(shape, {.model = memory_model::cpp20_letter, .strongly = false}));
    CHECK(some_program_differs(shape, {.model = memory_model::sc, .from_reads = false}));
    CHECK(some_program_differs(shape, {.model = memory_model::tso, .from_reads = false}));
    CHECK(some_program_differs(shape, {.model = memory_model::tso, .fences = false}));
}

}  // namespace ordeal::model_tests::rc11
