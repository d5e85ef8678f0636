// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/comparison.hpp"

#include "made_up_results.hpp"

#include <catch2/catch.hpp>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::made_up;
using Catch::Matchers::Contains;

namespace {

// The graph engine first, Relacy second; it must not matter.
comparison compared(const search_result& graph, const search_result& relacy) {
    static const scenario what = [] {
        scenario made;
        made.name = "event/example";
        made.subject = "event";
        return made;
    }();
    const comparison result = compare(what, {"graph", graph}, {"relacy", relacy});
    const comparison swapped = compare(what, {"relacy", relacy}, {"graph", graph});
    CHECK(result.verdict == swapped.verdict);
    CHECK(result.limited == swapped.limited);
    CHECK(result.explained_by == swapped.explained_by);
    CHECK(result.what == &what);
    CHECK(result.first == "graph");
    CHECK(result.second == "relacy");
    return result;
}

}  // namespace

TEST_CASE("engines that hold, within limits or not, agree") {
    CHECK(compared(all_held(), held_by_relacy()).verdict == agreement::agree);
    CHECK(compared(all_held(), all_held()).verdict == agreement::agree);
    CHECK(compared(all_held(), cut_short(held_by_relacy())).verdict == agreement::agree);
    CHECK(compared(cut_short(held_by_relacy()), held_by_relacy()).verdict == agreement::agree);
    CHECK(compared(all_held(), held_by_relacy()).message == "graph: held, relacy: held within");
}

TEST_CASE("engines that find a violation of one kind agree, and of two kinds do not") {
    CHECK(compared(violation(violation_kind::leak), violation(violation_kind::leak)).verdict == agreement::agree);
    const auto failed = compared(violation(violation_kind::leak), violation(violation_kind::data_race));
    CHECK(failed.verdict == agreement::failed);
    CHECK(failed.explained_by.empty());
    CHECK(failed.message == "graph: violated: leak, relacy: violated: data race; no limit explains the other kind");
}

TEST_CASE("another kind is explained only by a limit that lets in too many executions") {
    const auto explained = compared(violation(violation_kind::leak), false_alarm(violation_kind::data_race));
    CHECK(explained.verdict == agreement::explained);
    CHECK(explained.limited == "relacy");
    CHECK(explained.explained_by == std::vector{relacy_says({false_alarm_limit}).back()});
    const auto hides = violation(violation_kind::data_race, relacy_says({&relacy::limits::stale_reads}));
    CHECK(compared(violation(violation_kind::leak), hides).verdict == agreement::failed);
}

TEST_CASE("what Relacy missed is explained by each limit that leaves out executions, and by no other") {
    const auto race = violation(violation_kind::data_race);
    for (const flag each : hiding_limits) {
        const auto silent = held_by_relacy({each});
        CAPTURE(silent.limits.back().sentence);
        const auto explained = compared(race, silent);
        CHECK(explained.verdict == agreement::explained);
        CHECK(explained.limited == "relacy");
        CHECK(explained.explained_by == std::vector{silent.limits.back()});
        CHECK(compared(race, cut_short(silent)).verdict == agreement::explained);
    }
    CHECK(compared(race, held_by_relacy()).verdict == agreement::failed);
    CHECK(compared(race, held_by_relacy({false_alarm_limit})).verdict == agreement::failed);
    const auto cut = compared(race, cut_short(held_by_relacy()));
    CHECK(cut.verdict == agreement::failed);
    CHECK_THAT(cut.message, Contains("cut short"));
}

TEST_CASE("the limits of a random search by Relacy are known, too") {
    auto silent = held_by_relacy();
    silent.limits = relacy_says({&relacy::limits::stale_reads}, true);
    const auto explained = compared(violation(violation_kind::data_race), silent);
    CHECK(explained.verdict == agreement::explained);
    CHECK(explained.explained_by == std::vector{silent.limits.back()});
}

TEST_CASE("every limit that Relacy names is known to hide executions or to let in too many") {
    relacy::limits all;
    for (const flag each : hiding_limits) all.*each = true;
    for (const flag each : false_alarm_limits) all.*each = true;
    for (const bool random : {false, true}) {
        auto limits = all.named(random);
        limits.erase(limits.begin());  // holds for every search
        for (const limit& each : limits) {
            CAPTURE(each.sentence);
            auto silent = held_by_relacy();
            silent.limits.push_back(each);
            const bool hides = compared(violation(violation_kind::leak), silent).verdict == agreement::explained;
            const bool alarms =
                compared(all_held(), violation(violation_kind::leak, {each})).verdict == agreement::explained;
            CHECK(hides != alarms);
        }
    }
}

TEST_CASE("a violation that only Relacy finds is a false alarm only by the limit that makes them") {
    const auto explained = compared(all_held(), false_alarm(violation_kind::data_race));
    CHECK(explained.verdict == agreement::explained);
    CHECK(explained.limited == "relacy");
    CHECK(explained.explained_by == std::vector{relacy_says({false_alarm_limit}).back()});
    const auto race = violation(violation_kind::data_race);
    CHECK(compared(all_held(), race).verdict == agreement::failed);
    for (const flag each : hiding_limits) {
        const auto found = violation(violation_kind::data_race, relacy_says({each}));
        CAPTURE(found.limits.back().sentence);
        CHECK(compared(all_held(), found).verdict == agreement::failed);
    }
}

TEST_CASE("a search that was bounded as asked for need not find what another one does") {
    auto bounded = held_by_relacy();
    bounded.limits.insert(bounded.limits.begin(), "1000 random executions, seed 3");
    const auto result = compared(violation(violation_kind::leak), bounded);
    CHECK(result.verdict == agreement::not_comparable);
    CHECK(result.explained_by == std::vector<limit>{"1000 random executions, seed 3"});
    auto own = all_held();
    own.verdict = verdict::held_within;
    own.limits = {"a weak compare-exchange failed spuriously as often as it may"};
    CHECK(compared(own, violation(violation_kind::leak)).verdict == agreement::not_comparable);
}

TEST_CASE("without a verdict there is nothing to compare, and the message says so") {
    const auto result = compared(all_held(), unclear());
    CHECK(result.verdict == agreement::not_comparable);
    CHECK_THAT(result.message, Contains("relacy: inconclusive; the engine cannot do this"));
    CHECK(compared(unclear(), violation(violation_kind::leak)).verdict == agreement::not_comparable);
    CHECK(compared(unclear(), unclear()).verdict == agreement::not_comparable);
    auto stopped = cut_short(held_by_relacy());
    stopped.stopped = true;
    CHECK(compared(violation(violation_kind::leak), stopped).verdict == agreement::not_comparable);
    const auto late = violation(violation_kind::time_out);
    CHECK(compared(all_held(), late).verdict == agreement::not_comparable);
    CHECK(compared(late, late).verdict == agreement::agree);
}

TEST_CASE("no limit explains that a scenario is nondeterministic under one engine only") {
    const auto unsteady = violation(violation_kind::nondeterminism);
    CHECK(compared(unsteady, held_by_relacy({&relacy::limits::stale_reads})).verdict == agreement::failed);
    CHECK(compared(unsteady, false_alarm(violation_kind::data_race)).verdict == agreement::failed);
    CHECK(compared(all_held(), false_alarm(violation_kind::nondeterminism)).verdict == agreement::failed);
    CHECK(compared(unsteady, unsteady).verdict == agreement::agree);
}

TEST_CASE("an outcome that only Relacy saw is a failure, unless it may be a false alarm") {
    const auto exact = all_held({{"1 1", 3}});
    const auto failed = compared(exact, held_by_relacy({&relacy::limits::stale_reads}, {{"1 1", 3}, {"0 0", 1}}));
    CHECK(failed.verdict == agreement::failed);
    CHECK_THAT(failed.message, Contains("relacy produced '0 0', which graph does not allow"));
    const auto explained = compared(exact, held_by_relacy({false_alarm_limit}, {{"0 0", 1}}));
    CHECK(explained.verdict == agreement::explained);
    CHECK(explained.explained_by == std::vector{relacy_says({false_alarm_limit}).back()});
}

TEST_CASE("an outcome that Relacy missed is hidden by a limit that it names, or is a failure") {
    const auto exact = all_held({{"1 1", 3}, {"0 0", 1}});
    const auto hidden = compared(exact, held_by_relacy({&relacy::limits::modification_order}, {{"1 1", 2}}));
    CHECK(hidden.verdict == agreement::agree);
    CHECK(hidden.explained_by == std::vector{relacy_says({&relacy::limits::modification_order}).back()});
    CHECK_THAT(hidden.message, Contains("relacy did not produce '0 0'"));
    const auto failed = compared(exact, held_by_relacy({}, {{"1 1", 2}}));
    CHECK(failed.verdict == agreement::failed);
    CHECK_THAT(failed.message, Contains("names no limit"));
    CHECK(compared(exact, held_by_relacy({false_alarm_limit}, {{"1 1", 2}})).verdict == agreement::failed);
}

TEST_CASE("outcomes are compared with those of a search of every execution only, and missed ones only at its end") {
    const auto exact = all_held({{"1 1", 3}, {"0 0", 1}});
    CHECK(compared(exact, cut_short(held_by_relacy({}, {{"1 1", 1}}))).verdict == agreement::agree);
    CHECK(compared(exact, cut_short(held_by_relacy({}, {{"2 2", 1}}))).verdict == agreement::failed);
    CHECK(compared(cut_short(exact), held_by_relacy({}, {{"2 2", 1}})).verdict == agreement::agree);
    auto bounded = held_by_relacy({}, {{"1 1", 1}});
    bounded.limits.push_back("every execution with at most 2 preemptions");
    CHECK(compared(exact, bounded).verdict == agreement::agree);
}

TEST_CASE("what was not seen may hide executions and may raise false alarms") {
    const limit assembler{"assembler", "a fence that was not seen", limit_effect::unseen};
    auto silent = all_held();
    silent.verdict = verdict::held_within;
    silent.limits = {assembler};
    CHECK(compared(silent, violation(violation_kind::leak)).verdict == agreement::explained);
    CHECK(compared(violation(violation_kind::leak, {assembler}), held_by_relacy()).verdict == agreement::explained);
}
