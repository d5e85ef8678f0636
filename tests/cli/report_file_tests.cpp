// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("a check writes JSON, JUnit and SARIF beside the table, and they agree") {
    const temporary_folder folder;
    const finished result =
        run_fixture({"check", "fixture/unexpected_race", "fixture/count_to_two", "--json", folder.file("a.json"),
                     "--junit", folder.file("a.xml"), "--sarif", folder.file("a.sarif")});
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("1 not as expected."));
    CHECK(folder.files() == std::vector<std::string>{"a.json", "a.sarif", "a.xml"});
    CHECK(json::parse(content(folder.file("a.json"))).at("scenarios").size() == 2);
    CHECK_THAT(content(folder.file("a.xml")), Contains(R"(tests="2" failures="1" errors="0")"));

    const json results = json::parse(content(folder.file("a.sarif"))).at("runs").at(0).at("results");
    REQUIRE(results.size() == 1);
    const json& found = results.at(0);
    CHECK(found.at("level") == "error");
    CHECK(found.at("ruleId") == "data-race");
    const std::string token = token_in(found.at("message").at("text"));
    CHECK(run_fixture({"replay", token}).code == 1);
    const json& place = found.at("locations").at(0).at("physicalLocation");
    CHECK(place.at("artifactLocation").at("uri") == "tests/cli/fixtures/verdicts.cpp");
    CHECK(place.at("region").at("startLine") > 1);
}

TEST_CASE("a check and an audit write each finding as a compiler does") {
    const finished check = run_fixture({"check", "fixture/unexpected_race", "--problems", "-"});
    CHECK(check.code == 1);
    CHECK_THAT(check.out, Catch::Matchers::Matches("tests/cli/fixtures/verdicts[.]cpp:[0-9]+:[0-9]+: error: "
                                                   "fixture/unexpected_race: violated: data race[^\n]*\n"));
    CHECK(run_fixture({"check", "fixture/known_race", "--problems", "-"}).out.empty());
    const finished audit = run(ORDEAL_BINARY, {"audit", "bug_complete_without_release", "--problems", "-"});
    CHECK_THAT(audit.out, Catch::Matchers::Matches("(src/[a-z_/]+[.][hc]pp:[0-9]+:[0-9]+: note: [^\n]*\n)+"));
}

TEST_CASE("an expected violation is no finding") {
    const finished result = run_fixture({"check", "fixture/known_race", "--sarif", "-"});
    CHECK(result.code == 0);
    CHECK(json::parse(result.out).at("runs").at(0).at("results").empty());
}

TEST_CASE("an audit of an exhibit notes the order that is too weak, at its site") {
    const finished result = run(ORDEAL_BINARY, {"audit", "bug_complete_without_release", "--sarif", "-"});
    CAPTURE(result.err);
    CHECK(result.code == 0);
    const json log = json::parse(result.out);
    CHECK(log.at("version") == "2.1.0");
    bool noted = false;
    for (const json& each : log.at("runs").at(0).at("results")) {
        CHECK(each.at("level") == "note");
        const json& place = each.at("locations").at(0).at("physicalLocation");
        CHECK_THAT(place.at("artifactLocation").at("uri").get<std::string>(), Contains("src/"));
        noted |= each.at("ruleId") == "too-weak";
    }
    CHECK(noted);
}

TEST_CASE("two reports cannot go into one file, standard output included") {
    const temporary_folder folder;
    for (const std::string& file : {std::string("-"), folder.file("a")}) {
        const finished result = run_fixture({"check", "fixture/count_to_two", "--json", file, "--sarif", file});
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("two reports cannot go into one file"));
    }
    CHECK(folder.files().empty());
}

TEST_CASE("a report that cannot be written is said before anything runs") {
    const temporary_folder folder;
    for (const char* option : {"--junit", "--sarif"}) {
        const finished result = run_fixture({"check", "fixture/count_to_two", option, folder.file("missing/a")});
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains("cannot write"));
    }
}
