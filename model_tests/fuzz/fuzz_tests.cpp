// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine against an oracle for all that waits, loops and orders, on programs with control flow, in every way that a
// program can be searched. ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/fuzz/comparison.hpp"
#include "model_tests/fuzz/generator.hpp"
#include "model_tests/fuzz/oracle.hpp"
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/support/explanation_check.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests::fuzz {

using namespace detail;

namespace {

using outcomes = std::set<std::string>;
using violations = std::set<violation_kind>;

std::vector<std::filesystem::path> corpus() {
    std::vector<std::filesystem::path> result;
    for (const auto& entry : std::filesystem::directory_iterator(ORDEAL_SOURCE_ROOT "/model_tests/fuzz/corpus")) {
        result.push_back(entry.path());
    }
    std::ranges::sort(result);
    return result;
}

program read_program(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return parse(text.str());
}

// As it stands in the corpus.
program known(const std::string& name) {
    return read_program(std::filesystem::path(ORDEAL_SOURCE_ROOT "/model_tests/fuzz/corpus") / (name + ".txt"));
}

prediction predicted(std::string_view text) {
    const auto result = predict(parse(text));
    REQUIRE(result.has_value());
    return *result;
}

bool mentions(const comparison& found, std::string_view part) {
    return found.differences.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The oracle of the fuzzer predicts what was worked out by hand") {
    // Store buffering: both may read 0, unless every operation is seq_cst.
    const prediction buffered =
        predicted("thread\nstore value=1\nload object=1\nthread\nstore object=1 value=1\nload\n");
    CHECK(buffered.outcomes == outcomes{"-0|-0|11000", "-0|-1|11000", "-1|-0|11000", "-1|-1|11000"});
    CHECK(buffered.violations.empty());
    const prediction ordered = predicted(
        "thread\nstore value=1 order=seq_cst\nload object=1 order=seq_cst\n"
        "thread\nstore object=1 value=1 order=seq_cst\nload order=seq_cst\n");
    CHECK(ordered.outcomes == outcomes{"-0|-1|11000", "-1|-0|11000", "-1|-1|11000"});
    // A relaxed flag hands nothing over; a release store and an acquire load do.
    CHECK(predicted("thread\nwrite value=1\nstore value=1\nthread\nload_until value=1\nread\n").violations ==
          violations{violation_kind::data_race});
    const prediction handed_over = predicted(
        "thread\nwrite value=1\nstore value=1 order=release\nthread\nload_until value=1 order=acquire\nread\n");
    CHECK(handed_over.outcomes == outcomes{"--|-1|10010"});
    CHECK(handed_over.violations.empty());
    // Two increments add up.
    CHECK(predicted("thread\nfetch_add value=1\nthread\nfetch_add value=1\n").outcomes ==
          outcomes{"0|1|20000", "1|0|20000"});
}

TEST_CASE("The oracle of the fuzzer knows which programs wait for ever") {
    CHECK(predict(known("lost_wake_up"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("predicate"))->violations.empty());
    CHECK(predict(known("one_notification_for_two"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("timed_wait"))->violations.empty());
    CHECK(predict(known("atomic_wait_then_block_again"))->violations.empty());
    CHECK(predict(known("two_atomic_waits"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("notification_without_store"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("two_locks_in_two_orders"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("two_spinning_locks_in_two_orders"))->violations == violations{violation_kind::livelock});
    CHECK(predict(known("semaphore_is_short"))->violations == violations{violation_kind::deadlock});
    CHECK(predict(known("loop_that_stays"))->violations == violations{violation_kind::livelock});
    CHECK(predict(known("writer_after_readers"))->violations.empty());
    CHECK(predict(known("readers_are_not_ordered"))->violations == violations{violation_kind::data_race});
    CHECK(predict(known("semaphore_hands_over"))->violations.empty());
}

TEST_CASE("Every program of the fuzzer's corpus is found to be what the oracle predicts") {
    const auto files = corpus();
    REQUIRE_FALSE(files.empty());
    for (const auto& file : files) {
        const comparison found = compare(read_program(file));
        INFO(file.filename().string() << '\n' << found.differences);
        CHECK(found.predicted);
        CHECK(found.differences.empty());
        CHECK(found.limits.empty());
    }
}

TEST_CASE("Random programs with control flow are what the oracle predicts, in every way that they are searched") {
    const std::uint64_t count = rc11::from_environment("ORDEAL_PROGRAMS", 40);
    REQUIRE(count > 0);
    const std::uint64_t first = rc11::from_environment("ORDEAL_SEED", 1);
    std::uint64_t too_large = 0;
    std::uint64_t limited = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const program what = random_program(seed);
        const comparison found = compare(what);
        too_large += found.predicted ? 0 : 1;
        limited += found.limits.empty() ? 0 : 1;
        if (found.differences.empty()) continue;
        const program small = found.finished ? shrink_differing(what) : what;
        FAIL("seed " << seed << ":\n"
                     << to_string(what) << found.differences << "the smallest program with a difference:\n"
                     << to_string(small) << compare(small).differences);
    }
    CAPTURE(first, count);
    CHECK(too_large <= count / 20);
    CHECK(limited <= count / 20);
}

TEST_CASE("No sentence of an explanation is contradicted by its trace, over random violations") {
    const std::uint64_t wanted = rc11::from_environment("ORDEAL_PROGRAMS", 300);
    const std::uint64_t first = rc11::from_environment("ORDEAL_SEED", 1);
    std::map<std::string, std::uint64_t> kinds;
    std::uint64_t seed = first;
    for (std::uint64_t violations = 0; violations < wanted; ++seed) {
        const program random = random_program(seed);
        set_current_program(random);
        const scenario what = with_threads(registered("fuzz/optimised"), random.size);
        const search_result result = search(what, {}, "graph");
        if (result.verdict != verdict::violated) continue;
        ++violations;
        ++kinds[std::string(to_string(*result.kind))];
        INFO("seed " << seed << ":\n" << to_string(random));
        CHECK(contradictions(what, result) == std::vector<std::string>{});
    }
    CAPTURE(first, seed);
    CHECK(kinds.size() > 2);
}

TEST_CASE("A program of the fuzzer is read again as it was written") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const program what = random_program(seed);
        INFO(to_string(what));
        CHECK(parse(to_string(what)) == what);
    }
    CHECK_THROWS(parse(""));
    CHECK_THROWS(parse("load\n"));
    CHECK_THROWS(parse("thread\nlaod\n"));
    CHECK_THROWS(parse("thread\nload object=3\n"));
    CHECK_THROWS(parse("thread\nload object=\n"));
    CHECK_THROWS(parse("thread\nload if=r9==1\n"));
    CHECK_THROWS(parse("thread\nthread\nthread\nthread\n"));
}

TEST_CASE("The fuzzer can fail: what one way of searching a program loses, or makes up, is seen") {
    const program what = parse("thread\nstore value=1\nthread\nload\n");
    REQUIRE(compare(what).differences.empty());
    for (const std::string_view way : {"-O0", "-O2", "-O2, two jobs", "policy"}) {
        const auto only = [way](auto change) {
            return comparison_options{.tamper = [way, change](std::string_view where, search_result& found) {
                if (where == way) change(found);
            }};
        };
        const std::string named = std::string(way) + ": ";
        CHECK(mentions(compare(what, only([](search_result& found) { found.outcomes.erase(found.outcomes.begin()); })),
                       named + "-|0|10000 is missing"));
        CHECK(mentions(compare(what, only([](search_result& found) { found.outcomes["?"] = 1; })),
                       named + "? is not possible"));
        CHECK(mentions(compare(what, only([](search_result& found) { found.verdict = verdict::inconclusive; })),
                       named + "inconclusive"));
        CHECK(mentions(compare(what, only([](search_result& found) {
                                   found.verdict = verdict::violated;
                                   found.kind = violation_kind::data_race;
                               })),
                       named + "data race, which the oracle has not"));
    }
    const comparison made_up = compare(what, {.tamper = [](std::string_view way, search_result& found) {
                                           if (way == "-O2, random") found.outcomes["?"] = 1;
                                       }});
    CHECK(mentions(made_up, "-O2, random: ? is not possible"));
}

TEST_CASE("The fuzzer can fail: a search that does not see a violation differs") {
    const comparison found =
        compare(known("two_locks_in_two_orders"), {.tamper = [](std::string_view way, search_result& found) {
                    if (way == "-O0") found.verdict = verdict::held;
                }});
    CHECK(mentions(found, "-O0: held, but the oracle has deadlock\n"));
}

TEST_CASE("The fuzzer can fail: with an oracle that is wrong programs differ, and are made small") {
    const comparison_options wrong{.oracle = {.atomic_exchanges = false}};
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const program what = random_program(seed);
        if (compare(what, wrong).differences.empty()) continue;
        const program small = shrink_differing(what, wrong);
        INFO(to_string(small));
        CHECK(small.size == 2);
        CHECK(small.threads[0].size == 1);
        CHECK(small.threads[1].size == 1);
        return;
    }
    FAIL("no program differs");
}

}  // namespace ordeal::model_tests::fuzz
