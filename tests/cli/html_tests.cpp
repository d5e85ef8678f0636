// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

TEST_CASE("a program that was built without HTML says so before anything runs, and how to get it") {
    const temporary_folder folder;
    for (const char* command : {"check", "audit", "stress"}) {
        const finished result =
            run(ORDEAL_WITHOUT_HTML_BINARY, {command, "fixture/count_to_two", "--html", folder.file("a.html")});
        CAPTURE(command, result.err);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("this program was built without HTML reports"));
        CHECK_THAT(result.err, Contains("ORDEAL_HTML=ON"));
    }
    CHECK(folder.files().empty());
}

#if ORDEAL_HAS_HTML

namespace {

// The JSON in the page, that of the report beside what it is about.
json data_of(const std::string& page) {
    const std::string begin = R"(<script type="application/json" id="data">)";
    const auto at = page.find(begin);
    REQUIRE(at != std::string::npos);
    const auto from = at + begin.size();
    return json::parse(page.substr(from, page.find("</script>", from) - from));
}

}  // namespace

TEST_CASE("the page of a check holds its report, the trace and the source") {
    const temporary_folder folder;
    const finished result = run_fixture({"check", "fixture/known_race", "--html", folder.file("a.html")});
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("fixture/known_race"));  // the text is printed all the same
    CHECK(folder.files() == std::vector<std::string>{"a.html"});
    const std::string page = content(folder.file("a.html"));
    CHECK_THAT(page, StartsWith("<!doctype html>"));
    CHECK_THAT(page, Contains("default-src 'none'"));
    const json data = data_of(page);
    CHECK(data.at("command") == "check");
    const json& found = data.at("report").at("scenarios").at(0);
    CHECK(found.at("kind") == "data race");
    CHECK_FALSE(found.at("trace").empty());
    const json& source = data.at("sources").at("tests/cli/fixtures/verdicts.cpp");
    CHECK(source.at("parts").at(0).at("first") == 1);
    CHECK(source.at("parts").at(0).at("lines").size() == source.at("count"));

    const finished replayed =
        run_fixture({"replay", found.at("replay").get<std::string>(), "--html", folder.file("b.html")});
    CHECK(replayed.code == 1);
    CHECK(data_of(content(folder.file("b.html"))).at("report").at("name") == "fixture/known_race");
}

TEST_CASE("an HTML report on standard output takes the place of the text") {
    const finished result = run_fixture({"check", "fixture/count_to_two", "--html", "-"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, StartsWith("<!doctype html>"));
    CHECK(data_of(result.out).at("report").at("scenarios").size() == 1);
}

TEST_CASE("the page of an audit has the trace of each order that is required, and its JSON report has none") {
    const temporary_folder folder;
    const finished result =
        run(ORDEAL_BINARY, {"audit", "event", "--html", folder.file("a.html"), "--json", folder.file("a.json")});
    CAPTURE(result.err);
    CHECK(result.code == 0);
    const json data = data_of(content(folder.file("a.html")));
    std::size_t required = 0;
    for (const json& site : data.at("report").at("subjects").at(0).at("sites")) {
        for (const json& tried : site.at("weaker")) {
            if (tried.at("verdict") != "required") continue;
            ++required;
            CHECK_FALSE(tried.at("trace").empty());
            CHECK_FALSE(tried.at("explanation").at("conclusion").empty());
            CHECK(tried.at("threads").size() >= 2);
        }
    }
    CHECK(required == 7);
    CHECK(content(folder.file("a.json")).find("\"trace\"") == std::string::npos);
}

TEST_CASE("an HTML report that cannot be written is said before anything runs") {
    const temporary_folder folder;
    const finished result = run_fixture({"check", "fixture/count_to_two", "--html", folder.file("missing/a.html")});
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains("cannot write"));
    const finished twice = run_fixture({"check", "fixture/count_to_two", "--html", "-", "--json", "-"});
    CHECK(twice.code == 2);
    CHECK_THAT(twice.err, Contains("two reports cannot go into one file"));
}

#endif
