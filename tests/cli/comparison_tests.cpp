// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

json compared(std::vector<std::string> arguments, int code) {
    arguments.insert(arguments.begin(), {"check", "--engine", "all", "--json", "-"});
    const finished result = run_fixture(std::move(arguments));
    CAPTURE(result.err, result.out);
    CHECK(result.code == code);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("option --engine all searches each scenario with every engine and compares them") {
    const json report = compared({"fixture/count_to_two", "fixture/known_race", "fixture/leak"}, 0);
    REQUIRE(report.at("scenarios").size() == 6);
    for (std::size_t i = 0; i != 6; i += 2) {
        CHECK(report.at("scenarios")[i].at("name") == report.at("scenarios")[i + 1].at("name"));
        CHECK(report.at("scenarios")[i].at("engine") == "graph");
        CHECK(report.at("scenarios")[i + 1].at("engine") == "relacy");
    }
    REQUIRE(report.at("comparison").size() == 3);
    for (const json& entry : report.at("comparison")) {
        CHECK(entry.at("agree") == true);
        CHECK(entry.at("engines") == json{"graph", "relacy"});
    }
    CHECK_THAT(run_fixture({"check", "fixture/count_to_two", "--engine", "all"}).out,
               Contains("Engines compared: 1 agree, 0 explained, 0 not comparable, 0 failed."));
}

TEST_CASE("what Relacy cannot show is explained by the limit that it names, and is no failure") {
    const json report = compared({"apart/writes_cross"}, 0);
    const json& missed = report.at("scenarios").at(1);
    CHECK(missed.at("engine") == "relacy");
    CHECK(missed.at("verdict") == "held within");
    CHECK(missed.at("as_expected") == false);
    CHECK(missed.at("explained") == true);
    const json& entry = report.at("comparison").at(0);
    CHECK(entry.at("agree") == false);
    const auto& limits = entry.at("explained_by");
    CHECK(std::ranges::find(limits, "Relacy: modification order is the order of execution") != limits.end());
    CHECK(run_fixture({"check", "apart/writes_cross", "--engine", "relacy"}).code == 1);
}

TEST_CASE("a false alarm of Relacy is explained by the limit that it names, and is no failure") {
    const json report = compared({"apart/fence_and_accesses"}, 0);
    CHECK(report.at("scenarios").at(0).at("verdict") == "held");
    CHECK(report.at("scenarios").at(1).at("verdict") == "violated");
    CHECK(report.at("scenarios").at(1).at("explained") == true);
    CHECK(report.at("comparison").at(0).at("agree") == false);
    CHECK_FALSE(report.at("comparison").at(0).at("explained_by").empty());
}

TEST_CASE("engines that disagree, and name no limit for it, are exit code 1") {
    const json report = compared({"apart/engine_dependent"}, 1);
    const json& entry = report.at("comparison").at(0);
    CHECK(entry.at("agree") == false);
    CHECK(entry.at("verdict") == "failed");
    CHECK(entry.at("explained_by").empty());
    const finished text = run_fixture({"check", "apart/engine_dependent", "--engine", "all"});
    CHECK(text.code == 1);
    CHECK_THAT(text.out, Contains("apart/engine_dependent: failed: ") && Contains("disagree on 1 scenario"));
}

TEST_CASE("what one engine cannot run at all is not comparable, and no failure beside another engine that can") {
    const json report = compared({"fixture/nine_threads"}, 0);
    CHECK(report.at("scenarios").at(0).at("verdict") == "held");
    CHECK(report.at("scenarios").at(1).at("verdict") == "inconclusive");
    CHECK(report.at("scenarios").at(1).at("explained") == true);
    const json& entry = report.at("comparison").at(0);
    CHECK(entry.at("agree") == false);
    CHECK(entry.at("verdict") == "not comparable");
    CHECK_THAT(entry.at("message").get<std::string>(), Contains("the engine relacy supports up to 8"));
}

TEST_CASE("a spin loop that Relacy follows for ever is explained by its unfair schedule") {
    const json report = compared({"apart/spins"}, 0);
    CHECK(report.at("scenarios").at(0).at("verdict") == "held");
    const json& relacy = report.at("scenarios").at(1);
    CHECK(relacy.at("kind") == "livelock");
    CHECK(relacy.at("explained") == true);
    REQUIRE(relacy.at("limit_details").size() == 1);
    CHECK(relacy.at("limit_details")[0].at("id") == "unfair-schedule");
    CHECK(relacy.at("limit_details")[0].at("effect") == "adds");
    CHECK(report.at("comparison").at(0).at("verdict") == "explained");
    CHECK_THAT(run_fixture({"check", "apart/spins", "--engine", "relacy"}).out,
               Contains("violated: livelock [1]") && Contains("a livelock may be a false alarm"));
}

TEST_CASE("engines that saw nothing of what the threads share do not agree on it") {
    const json report = compared({"blind/forgets_the_policy"}, 1);
    for (const json& each : report.at("scenarios")) {
        CHECK(each.at("verdict") == "inconclusive");
        CHECK_THAT(each.at("message").get<std::string>(), Contains("no two threads accessed a common object"));
    }
    CHECK(report.at("comparison").at(0).at("verdict") == "not comparable");
}
