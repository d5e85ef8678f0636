// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search was asked for and what it did is in every format.
#include "ordeal/report/facts.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/strict.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

// Numbers that stand nowhere else in a report.
constexpr std::uint64_t executions = 730'129;
constexpr std::uint64_t blocked = 91'807;
constexpr std::uint64_t seed = 6'502;
constexpr double budget = 17.25;
constexpr double expected_executions = 4.0e9;

search_result cut_result() {
    search_result result;
    result.verdict = verdict::held_within;
    result.executions = executions;
    result.blocked = blocked;
    result.seconds = budget;
    result.limits = {cut_short_after({.executions = executions,
                                      .seconds = budget,
                                      .expected = expected_executions,
                                      .expected_error = expected_executions / 10}),
                     random_executions(executions, seed)};
    return result;
}

search_options asked() {
    search_options how;
    how.strategy.mode = search_mode::random;
    how.strategy.bound = 1'000'000;
    how.strategy.seed = seed;
    how.resources.seconds = budget;
    return how;
}

struct example {
    scenario what;
    check_report check;
    audit_report audit;

    // SARIF has a result for what is not as expected alone; what it says of the run is not to depend on that.
    explicit example(bool as_expected) {
        what.name = "event/cut";
        what.subject = "event";
        what.threads = {"one"};
        check.how = audit.how = asked();
        check.scenarios.push_back({&what, "graph", cut_result(), as_expected, ""});
        audited_subject subject;
        subject.name = "event";
        subject.verdict = verdict::held_within;
        subject.as_expected = as_expected;
        subject.scenarios = {{&what, as_expected, cut_result()}};
        audit.engine = "graph";
        audit.subjects = {subject};
    }
};

using formats = std::vector<std::pair<std::string, std::string>>;

// Without line breaks: a format may break them anywhere between two words.
std::string in_one_line(std::string text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank || (!result.empty() && result.back() != ' ')) result += blank ? ' ' : c;
    }
    return result;
}

formats of_check(const example& made) {
    return {{"text", text_format().check(made.check, {})},
            {"JSON", json_format().check(made.check, {})},
            {"Markdown", markdown_format().check(made.check, {})},
            {"JUnit", junit_format().check(made.check, {})},
            {"SARIF", sarif_format().check(made.check, {})}};
}

formats of_audit(const example& made) {
    return {{"text", text_format().audit(made.audit, {})},
            {"JSON", json_format().audit(made.audit, {})},
            {"Markdown", markdown_format().audit(made.audit, {})},
            {"JUnit", junit_format().audit(made.audit, {})},
            {"SARIF", sarif_format().audit(made.audit, {})}};
}

}  // namespace

TEST_CASE("executions, limits with the estimate, the budget and the seed of a search are in every format") {
    for (const bool as_expected : {true, false}) {
        const example made(as_expected);
        formats all = of_check(made);
        for (auto& each : of_audit(made)) all.push_back(std::move(each));
        for (const auto& [name, report] : all) {
            CAPTURE(name, as_expected);
            const std::string text = in_one_line(report);
            CHECK_THAT(text, Contains("730129"));
            CHECK_THAT(text, Contains("the search was ended after 730129 executions, when its 17.25 s were over: about "
                                      "0.018 % of an estimated 4.0e9"));
            CHECK_THAT(text, Contains("6502"));
            CHECK_THAT(text, Contains("17.25"));
        }
    }
}

TEST_CASE("blocked executions are in every format of a check, and of an audit that has counts") {
    const example made(true);
    formats all = of_check(made);
    for (auto& each : of_audit(made)) {
        const bool has_counts = each.first != "text" && each.first != "Markdown";  // those are sums over a subject
        if (has_counts) all.push_back(std::move(each));
    }
    for (const auto& [name, report] : all) {
        CAPTURE(name, report);
        CHECK_THAT(report, Contains("91807"));
    }
}

TEST_CASE("a seed is in every format of a check also where the search found a violation, which rests on no bound") {
    example made(false);
    search_result& result = made.check.scenarios.front().result;
    result.verdict = verdict::violated;
    result.kind = violation_kind::data_race;
    result.limits.clear();
    for (const auto& [name, report] : of_check(made)) {
        CAPTURE(name);
        CHECK_THAT(report, Contains("6502"));
    }
}

TEST_CASE("searches that were cut short are told of, and required ones as a failure, in every format") {
    example made(true);
    made.check.require_complete = made.audit.require_complete = true;
    CHECK(cut_short_of(made.check).size() == 1);
    CHECK(cut_short_of(made.audit).size() == 1);
    CHECK_THAT(text_format().check(made.check, {}), Contains("1 cut short by the time budget of 17.25 s, which"));
    CHECK_THAT(text_format().audit(made.audit, {}), Contains("1 cut short by the time budget of 17.25 s, which"));
    CHECK_THAT(junit_format().check(made.check, {}),
               Contains("classname=\"complete.event/cut\"") && Contains("failures=\"1\""));
    CHECK_THAT(junit_format().audit(made.audit, {}),
               Contains("classname=\"complete.event\"") && Contains("failures=\"1\""));
    CHECK_THAT(markdown_format().check(made.check, {}), Contains("**1 cut short by the time budget of 17.25 s, which"));
    CHECK_THAT(markdown_format().audit(made.audit, {}),
               Contains("## Cut short, which is not let pass\n\nEach search had a time "
                        "budget of 17.25 s.\n\n- event: scenario event/cut: held within"));
    for (const std::string& sarif : {sarif_format().check(made.check, {}), sarif_format().audit(made.audit, {})}) {
        CHECK_THAT(sarif, Contains("toolExecutionNotifications") && Contains("\"level\": \"error\""));
    }
}

TEST_CASE("a violation, a search that was stopped and one to its end are not cut short") {
    search_result result = cut_result();
    CHECK(detail::was_cut_short(result));
    result.stopped = true;
    CHECK_FALSE(detail::was_cut_short(result));
    result.stopped = false;
    result.verdict = verdict::violated;
    CHECK_FALSE(detail::was_cut_short(result));
    result.verdict = verdict::inconclusive;  // its time was over before the end of any execution
    CHECK(detail::was_cut_short(result));
    result.limits.clear();
    CHECK_FALSE(detail::was_cut_short(result));
    result = cut_result();
    result.complete = true;
    CHECK_FALSE(detail::was_cut_short(result));
}

TEST_CASE("the limit of a search that was cut short says no more than is known") {
    const auto words = [](const unfinished_search& what) { return cut_short_after(what).sentence; };
    CHECK(words({.executions = 5}) == "the search was ended after 5 executions");
    CHECK(words({.executions = 5, .seconds = 2}) == "the search was ended after 5 executions, when its 2 s were over");
    CHECK(words({.executions = 5, .seconds = 2, .of = 9}) ==
          "the search was ended after 5 executions, when its 2 s were over; 9 were asked for");
    CHECK(words({.executions = 5, .expected = 20}) ==
          "the search was ended after 5 executions: about 25 % of an estimated 20");
    CHECK(
        words({.executions = 30, .expected = 20, .expected_error = 5}) ==
        "the search was ended after 30 executions: no fewer than the 20 \u00b1 25 % that were estimated, and there are "
        "more");
    const limit named = cut_short_after({.executions = 5, .seconds = 2, .expected = 3e17, .expected_error = 3e16});
    CHECK(named.id == "cut-short");
    CHECK(named.parameters.at("seconds") == "2");
    CHECK(named.parameters.at("estimate") == "3e+17");
    CHECK(named.parameters.at("estimate_error") == "3e+16");
    CHECK(named.parameters.at("share") == "1.67e-17");
}
