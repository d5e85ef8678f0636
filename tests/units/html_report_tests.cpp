// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/formats.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace ordeal {
using namespace detail;

namespace {

using Catch::Matchers::Contains;

std::size_t count(std::string_view text, std::string_view wanted) {
    std::size_t result = 0;
    for (auto at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) ++result;
    return result;
}

// Of a scenario that is violated with this message.
std::string page_with(const std::string& message) {
    scenario what;
    what.name = "made_up/evil";
    what.subject = "made_up";
    what.threads = {"one"};
    checked_scenario checked;
    checked.what = &what;
    checked.engine = "graph";
    checked.result.verdict = verdict::violated;
    checked.result.kind = violation_kind::failed_requirement;
    checked.result.message = message;
    checked.result.outcomes = {{message, 1}};
    trace_step step;
    step.thread = 0;
    step.operation = "violation";
    step.note = message;
    step.where.key = {"no/such/file.cpp", 3, 1, role::load};
    checked.result.trace.push_back(step);
    checked.why = explain(what, checked.result);
    check_report report;
    report.scenarios.push_back(checked);
    return html_format().check(report, {.asked = {{"scenarios", message}}});
}

nlohmann::json data_of(const std::string& page) {
    const std::string begin = R"(<script type="application/json" id="data">)";
    const auto from = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST_CASE("what a message says cannot end the element that it stands in") {
    const std::string plain = page_with("plain");
    for (const std::string message :
         {"</script><script>alert(1)</script>", "<!--<script>", "</SCRIPT >", "\"</style>"}) {
        CAPTURE(message);
        const std::string page = page_with(message);
        CHECK(count(page, "<script") == count(plain, "<script"));
        CHECK(count(page, "</script") == count(plain, "</script"));
        CHECK(count(page, "<!--") == count(plain, "<!--"));
        CHECK(page.find(message) == std::string::npos);
        // It is still what it was.
        const nlohmann::json data = data_of(page);
        const nlohmann::json& scenario = data.at("report").at("scenarios").at(0);
        CHECK(scenario.at("message") == message);
        CHECK(scenario.at("outcomes").at(message) == 1);
        CHECK(scenario.at("trace").at(0).at("note") == message);
        CHECK(data.at("asked").at(0).at(1) == message);
    }
}

TEST_CASE("bytes that are no UTF-8 do not spoil a page") {
    const std::string page = page_with("\xff\xfe and \x01");
    CHECK_THAT(data_of(page).at("report").at("scenarios").at(0).at("message").get<std::string>(),
               Contains(R"(\xff\xfe and \x01)"));
}

TEST_CASE("a source that is not there is left out of a page") { CHECK(data_of(page_with("x")).at("sources").empty()); }

TEST_CASE("a long source is in a page around the lines that the report refers to") {
    scenario what;
    what.name = "made_up/long";
    checked_scenario checked;
    checked.what = &what;
    checked.result.verdict = verdict::violated;
    std::string file = "/tmp/ordeal-long-source-XXXXXX";
    const int made = mkstemp(file.data());
    REQUIRE(made >= 0);
    close(made);
    {
        std::ofstream out(file);
        for (int i = 1; i <= 1210; ++i) out << "line " << i << '\n';
    }
    for (const std::uint32_t line : {30U, 45U, 1200U, 5000U}) {
        trace_step step;
        step.where.key = {file, line, 1, role::load};
        checked.result.trace.push_back(step);
    }
    check_report report;
    report.scenarios.push_back(checked);
    const nlohmann::json data = data_of(html_format().check(report, {}));
    CHECK(std::remove(file.c_str()) == 0);
    const nlohmann::json& source = data.at("sources").at(file);
    CHECK(source.at("count") == 1210);
    REQUIRE(source.at("parts").size() == 2);
    CHECK(source["parts"][0].at("first") == 10);
    CHECK(source["parts"][0].at("lines").size() == 56);  // 10 to 65
    CHECK(source["parts"][0].at("lines").at(20) == "line 30");
    CHECK(source["parts"][1].at("first") == 1180);
    CHECK(source["parts"][1].at("lines").size() == 31);  // to the end
}

}  // namespace
}  // namespace ordeal
