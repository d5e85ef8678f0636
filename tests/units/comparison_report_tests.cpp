// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "made_up_results.hpp"

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/formats.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::made_up;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

scenario named(const char* name, expectation expected = held) {
    scenario made;
    made.name = name;
    made.subject = "event";
    made.threads = {"one", "two"};
    made.expected = expected;
    return made;
}

struct report_of_two {
    scenario fine = named("event/fine");
    scenario missed = named("event/missed", violated(violation_kind::data_race));
    scenario alarm = named("event/alarm");
    scenario torn = named("event/torn");
    check_report report;

    report_of_two() {
        add(fine, all_held(), held_by_relacy());
        add(missed, violation(violation_kind::data_race), held_by_relacy({&relacy::limits::stale_reads}));
        add(alarm, all_held(), false_alarm(violation_kind::leak));
    }
    void add(const scenario& what, const search_result& graph, const search_result& relacy) {
        report.scenarios.push_back({&what, "graph", graph, as_expected(what.expected, graph), "", false, false});
        report.scenarios.push_back({&what, "relacy", relacy, as_expected(what.expected, relacy), "", false, false});
    }
};

}  // namespace

TEST_CASE("a search whose own limit explains why it differs from one that is as expected does not count against it") {
    report_of_two made;
    compare_engines(made.report);
    CHECK(made.report.comparisons.size() == 3);
    CHECK(made.report.unexpected() == 0);
    CHECK(made.report.count(agreement::explained) == 2);
    CHECK(made.report.scenarios[3].explained);
    CHECK_FALSE(made.report.scenarios[3].as_expected);
    CHECK(made.report.scenarios[5].explained);
    CHECK_FALSE(made.report.scenarios[4].explained);
}

TEST_CASE("a limit of one engine does not excuse the other one") {
    report_of_two made;
    const scenario must_hold = named("event/must_hold");
    made.add(must_hold, violation(violation_kind::data_race), held_by_relacy({&relacy::limits::stale_reads}));
    compare_engines(made.report);
    CHECK(made.report.comparisons.back().verdict == agreement::explained);
    CHECK(made.report.unexpected() == 1);
    CHECK_FALSE(made.report.scenarios[6].explained);
}

TEST_CASE("an engine that cannot run a scenario is excused beside one that is as expected, and not without it") {
    report_of_two made;
    const scenario wide = named("event/wide");
    made.add(wide, all_held(), unclear());
    made.add(made.torn, unclear(), unclear());
    for (const std::size_t refused : {7U, 8U, 9U}) made.report.scenarios[refused].refused = true;
    compare_engines(made.report);
    CHECK(made.report.count(agreement::not_comparable) == 2);
    CHECK(made.report.scenarios[7].explained);
    CHECK(made.report.unexpected() == 2);
}

TEST_CASE("an inconclusive search is not excused by another engine that is as expected") {
    report_of_two made;
    const scenario unsure = named("event/unsure");
    made.add(unsure, all_held(), unclear());
    compare_engines(made.report);
    CHECK(made.report.unexpected() == 1);
}

TEST_CASE("with one engine nothing is compared, and the report has no comparison") {
    report_of_two made;
    made.report.scenarios.resize(1);
    compare_engines(made.report);
    CHECK(made.report.comparisons.empty());
    CHECK_FALSE(json::parse(json_format().check(made.report, {})).contains("comparison"));
    CHECK_THAT(text_format().check(made.report, {}), !Contains("compared"));
}

TEST_CASE("the JSON report has the comparison of each scenario") {
    report_of_two made;
    made.add(made.torn, all_held(), violation(violation_kind::leak));
    compare_engines(made.report);
    const json entries = json::parse(json_format().check(made.report, {})).at("comparison");
    REQUIRE(entries.size() == 4);
    CHECK(entries[0].at("scenario") == "event/fine");
    CHECK(entries[0].at("agree") == true);
    CHECK(entries[0].at("explained_by").empty());
    CHECK(entries[0].at("engines") == json{"graph", "relacy"});
    CHECK(entries[1].at("agree") == false);
    CHECK(entries[1].at("verdict") == "explained");
    CHECK(entries[1].at("explained_by").size() == 1);
    CHECK(entries[3].at("agree") == false);
    CHECK(entries[3].at("verdict") == "failed");
    CHECK(entries[3].at("explained_by").empty());
    CHECK_THAT(entries[3].at("message").get<std::string>(), Contains("relacy: violated: leak"));
}

TEST_CASE("the text report counts comparisons and shows all but those that agree") {
    report_of_two made;
    compare_engines(made.report);
    const std::string good = text_format().check(made.report, {});
    CHECK_THAT(good, Contains("Engines compared: 1 agree, 2 explained, 0 not comparable, 0 failed.\n"));
    CHECK_THAT(good, Contains("event/missed: explained: graph: violated: data race, relacy: held within; "));
    CHECK_THAT(good, !Contains("event/fine: agree"));
    CHECK_THAT(good, Contains("expected held, explained") && Contains("All as expected."));
    // Expected to leak, so that each engine is as expected or wrong by itself; the disagreement is told beside that.
    made.torn.expected = violated(violation_kind::leak);
    made.add(made.torn, all_held(), violation(violation_kind::leak));
    made.report.comparisons.clear();
    compare_engines(made.report);
    const std::string bad = text_format().check(made.report, {});
    CHECK_THAT(bad, Contains("event/torn: failed: ") && Contains("The engines disagree on 1 scenario."));
    CHECK_THAT(bad, !Contains("All as expected."));
}

TEST_CASE("engines that disagree are a failure in JUnit and an error in SARIF") {
    report_of_two made;
    compare_engines(made.report);
    CHECK_THAT(junit_format().check(made.report, {}), Contains("tests=\"9\" failures=\"0\" errors=\"0\""));
    CHECK(json::parse(sarif_format().check(made.report, {}))["runs"][0]["results"].empty());
    made.torn.expected = violated(violation_kind::leak);
    made.add(made.torn, violation(violation_kind::leak), violation(violation_kind::leak));
    made.report.scenarios.back().result.kind = violation_kind::data_race;
    made.report.comparisons.clear();
    compare_engines(made.report);
    CHECK_THAT(junit_format().check(made.report, {}),
               Contains("classname=\"comparison.event\" name=\"event/torn\"") &&
                   Contains("<failure type=\"engines disagree\" message=\"graph: violated: leak, ") &&
                   Contains("tests=\"12\" failures=\"1\" errors=\"0\""));
    const json results = json::parse(sarif_format().check(made.report, {}))["runs"][0]["results"];
    REQUIRE(results.size() == 1);
    CHECK(results[0]["ruleId"] == "engines-disagree");
    CHECK(results[0]["level"] == "error");
}
