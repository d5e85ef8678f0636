// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JUnit, SARIF and problems against golden files. With ORDEAL_UPDATE_GOLDEN set the golden files are written anew instead, and the
// test fails so that nobody takes that for a success.
#include "ordeal/audit/subjects.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/formats.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

scenario named(std::string name, expectation expected = held) {
    scenario result;
    result.subject = name.substr(0, name.find('/'));
    result.name = std::move(name);
    result.threads = {"producer", "consumer"};
    result.expected = expected;
    return result;
}

trace_step step(std::uint32_t index, int thread, std::string operation, std::string file, std::uint32_t line) {
    trace_step result;
    result.index = index;
    result.thread = thread;
    result.operation = std::move(operation);
    result.object = "cell 1";
    result.where.key = {std::move(file), line, 9, role::load};
    return result;
}

search_result race() {
    search_result result;
    result.verdict = verdict::violated;
    result.kind = violation_kind::data_race;
    result.message = "read of cell 1 <int> & \"write\"";
    result.executions = 3;
    result.seconds = 0.25;
    result.trace = {step(0, -1, "construct", "no/such/file.hpp", 3), step(2, 0, "write", "no/such/a file.hpp", 7),
                    step(5, 1, "lock", "/usr/include/c++/12/mutex", 40), step(6, 1, "read", "no/such/file.hpp", 12),
                    step(7, 1, "violation", "", 0)};
    return result;
}

search_result with(verdict value, std::vector<limit> limits = {}) {
    search_result result;
    result.verdict = value;
    result.executions = value == verdict::inconclusive ? 0 : 8;
    result.limits = std::move(limits);
    result.seconds = 0.5;
    return result;
}

struct example {
    scenario fine = named("event/fine");
    scenario racy = named("event/racy");
    scenario quiet = named("task/quiet", violated(violation_kind::leak));
    scenario unclear = named("task/unclear");
    scenario dead = named("task/dead");
    check_report report;

    example() {
        search_result no_result = with(verdict::inconclusive);
        no_result.message = "the scenario has \033[1m9 threads";
        search_result crash = with(verdict::violated);
        crash.kind = violation_kind::crash;
        crash.message = "ended by signal SIGSEGV";
        add(fine, with(verdict::held_within, {"at most 4 preemptions & <more>"}), "");
        add(racy, race(), "o1:relacy:event/racy::1.0");
        add(quiet, with(verdict::held), "");
        add(unclear, no_result, "");
        add(dead, crash, "");
        report.seconds = 1.5;
    }
    void add(const scenario& what, const search_result& result, std::string token) {
        report.scenarios.push_back({&what, "relacy", result, as_expected(what.expected, result), std::move(token)});
        report.scenarios.back().why = explain(what, result);
    }
};

audited_site site_with(site_verdict says, std::uint32_t line) {
    audited_site result;
    result.where = {{"src/a.hpp", line, 5, role::exchange}, true, "set", "exchange", order::release};
    result.verdict = says;
    result.note = "as the searches say";
    result.reason = "release -> consumer: \"payload\"";
    return result;
}

audit_report audited(const scenario& what) {
    audited_subject production;
    production.name = "event";
    production.scenarios = {{&what, false, race()}};
    production.sites = {site_with(site_verdict::minimal, 1), site_with(site_verdict::stronger_than_needed, 2),
                        site_with(site_verdict::too_weak, 3), site_with(site_verdict::undecided, 4)};
    production.sites[2].stronger = order::acq_rel;
    audited_subject exhibit;
    exhibit.name = "exhibit";
    exhibit.exhibit = true;
    exhibit.as_expected = true;
    exhibit.sites = {site_with(site_verdict::too_weak, 5)};
    audit_report report;
    report.engine = "relacy";
    report.subjects = {production, exhibit};
    return report;
}

void check_golden(const char* name, std::string text) {
    const std::string version = std::string("\"version\": \"") + program_version() + '"';
    if (const auto at = text.find(version); at != std::string::npos) {
        text.replace(at, version.size(), "\"version\": \"of this program\"");
    }
    const std::string file = std::string(ORDEAL_SOURCE_ROOT "/tests/units/data/report/") + name;
    if (std::getenv("ORDEAL_UPDATE_GOLDEN") != nullptr) {
        std::ofstream(file) << text;
        FAIL("wrote " << file);
    }
    std::ifstream in(file);
    REQUIRE(in);
    std::ostringstream golden;
    golden << in.rdbuf();
    CHECK(text == golden.str());
}

}  // namespace

TEST_CASE("JUnit of a check is that of the golden file") {
    check_golden("check.junit.xml", junit_format().check(example().report, {}));
}

TEST_CASE("SARIF of a check is that of the golden file") {
    check_golden("check.sarif", sarif_format().check(example().report, {}));
}

TEST_CASE("Markdown of a check is that of the golden file") {
    check_golden("check.md", markdown_format().check(example().report, {}));
}

TEST_CASE("what the code on trial says is text in the Markdown of a check, and ends no block") {
    example made;
    scenario wild = named("event/<b>|`x`*_y");
    search_result result = race();
    result.message = "</details> ``` | [link](x) <script>";
    result.trace[2].note = "```` and ` and </details>";
    result.limits = {{"unseen", "a `fence` <was> | not *seen*", limit_effect::unseen}};
    made.add(wild, result, "o1:token");
    const std::string text = markdown_format().check(made.report, {});
    CHECK_THAT(text, Contains(R"(| `event/<b>\|x*_y` | relacy | violated: data race | **expected held** |)"));
    CHECK_THAT(text, Contains(R"(## event/\<b\>\|\`x\`\*\_y: violated: data race)"));
    CHECK_THAT(text, Contains(R"(\</details\> \`\`\` \| \[link\](x) \<script\>)"));
    CHECK_THAT(text, Contains("\n`````text\n") && Contains("\n`````\n\n</details>\n"));
    CHECK_THAT(text, Contains("```sh\nordeal replay 'o1:token'\n```\n"));
    CHECK_THAT(text, Contains(R"(- limit: a \`fence\` \<was\> \| not \*seen\*)"));
}

TEST_CASE("a search that leaves code unchecked is not as expected, and reports begin with what that is") {
    const scenario what = named("event/linked");
    search_result result;
    result.verdict = verdict::held_within;
    result.executions = 1;
    result.limits = {limit_of_unseen("what a function of a library does to memory was not seen: frexp", "a.cpp:3")};
    CHECK(as_expected(what.expected, result));
    CHECK(detail::is_as_expected(what.expected, result));
    CHECK(result.limits.front().id == "unseen");
    const std::string words = std::string(not_checked) + "lib.cpp (libl.a): add it to SOURCES, or INSTRUMENT l";
    result.limits.push_back(limit_of_unseen(words, ""));
    CHECK_FALSE(as_expected(what.expected, result));
    CHECK_FALSE(detail::is_as_expected(what.expected, result));
    CHECK(unexpected_verdict_text(what.expected, result) == "held within, not checked");
    check_report report;
    for (const char* const engine : {"graph", "again"}) report.scenarios.push_back({&what, engine, result, false, ""});
    const std::string text = text_format().check(report, {});
    CHECK(text.starts_with(words + "\n\nscenario"));
    CHECK_THAT(text, Contains("not checked") && Contains("2 not as expected."));
    CHECK_THAT(markdown_format().check(report, {}), Contains("**not checked**"));
    CHECK_THAT(junit_format().check(report, {}), Contains("message=\"held within, not checked\""));
    // A violation is one, whatever else there is.
    result.verdict = verdict::violated;
    result.kind = violation_kind::data_race;
    CHECK(as_expected(violated(violation_kind::data_race), result));
}

TEST_CASE("SARIF of an audit is that of the golden file") {
    const scenario what = named("event/racy");
    check_golden("audit.sarif", sarif_format().audit(audited(what), {.token_of = [](const shown_violation& order) {
                                                         return "token of " + order.scenario;
                                                     }}));
}

TEST_CASE("problems of a check are those of the golden file") {
    check_golden("check.problems", problems_format().check(example().report, {}));
}

TEST_CASE("problems of an audit are those of the golden file") {
    const scenario what = named("event/racy");
    check_golden("audit.problems",
                 problems_format().audit(audited(what), {.token_of = [](const shown_violation& order) {
                                             return "token of " + order.scenario;
                                         }}));
}

TEST_CASE("a problem is one line, whatever the code on trial says and its files are called") {
    example made;
    search_result result = race();
    result.message = "first\nsecond\x1b[2J";
    result.trace[3].where.key.file = "src/a b/100%.hpp";
    made.report.scenarios = {{&made.racy, "relacy", result, false, ""}};
    const std::string text = problems_format().check(made.report, {});
    CHECK(std::ranges::count(text, '\n') == 1);
    CHECK_THAT(text, StartsWith("src/a b/100%.hpp:12:9: error: event/racy: violated: data race"));
    CHECK_THAT(text, Contains("first\\nsecond\\x1b[2J"));
    made.report.stopped_early = true;
    CHECK_THAT(problems_format().check(made.report, {}), Contains("\nordeal: error: stopped early"));
    CHECK(problems_format().check(check_report(), {}) == "ordeal: error: nothing ran\n");
}

TEST_CASE("JUnit counts failures, and errors where there is no verdict") {
    const std::string text = junit_format().check(example().report, {});
    CHECK_THAT(text, Contains(R"(<testsuites name="ordeal check" tests="5" failures="3" errors="1")"));
    CHECK_THAT(text, Contains(R"(<testsuite name="relacy.event" tests="2" failures="1" errors="0")"));
    CHECK_THAT(text, Contains(R"(<testsuite name="relacy.task" tests="3" failures="2" errors="1")"));
}

TEST_CASE("a run of nothing and one stopped early are errors in JUnit, and no success in SARIF") {
    const example some;
    const check_report nothing;
    check_report stopped = some.report;
    stopped.stopped_early = true;
    stopped.not_begun = 2;
    for (const auto& [report, says] :
         {std::pair(nothing, "nothing ran"), std::pair(stopped, "2 scenarios not begun")}) {
        CHECK_THAT(junit_format().check(report, {}), Contains("<error type=\"not run\"") && Contains(says));
        const json run = json::parse(sarif_format().check(report, {})).at("runs").at(0);
        const json& invocation = run.at("invocations").at(0);
        CHECK(invocation.at("executionSuccessful") == false);
        const json& notification = invocation.at("toolExecutionNotifications").at(0);
        CHECK_THAT(notification.at("message").at("text").get<std::string>(), Contains(says));
    }
}

TEST_CASE("SARIF puts a violation at the last step of its thread that stands in the project") {
    const json run = json::parse(sarif_format().check(example().report, {})).at("runs").at(0);
    const json& result = run.at("results").at(0);
    CHECK(result.at("ruleId") == "data-race");
    CHECK(result.at("level") == "error");
    CHECK_THAT(result.at("message").at("text").get<std::string>(),
               Contains("ordeal replay 'o1:relacy:event/racy::1.0'"));
    const json& place = result.at("locations").at(0).at("physicalLocation");
    CHECK(place.at("artifactLocation").at("uri") == "no/such/file.hpp");
    CHECK(place.at("region").at("startLine") == 12);
    CHECK(result.at("codeFlows").at(0).at("threadFlows").size() == 3);
}

TEST_CASE("a rule index is that of its rule") {
    const json run = json::parse(sarif_format().check(example().report, {})).at("runs").at(0);
    const json& rules = run.at("tool").at("driver").at("rules");
    REQUIRE(run.at("results").size() == 4);
    for (const json& each : run.at("results")) {
        CHECK(rules.at(each.at("ruleIndex").get<std::size_t>()).at("id") == each.at("ruleId"));
    }
}

TEST_CASE("text in XML is escaped, also what XML cannot hold") {
    using detail::xml_text;
    CHECK(xml_text("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c'");
    CHECK(xml_text("]]>") == "]]&gt;");
    CHECK(xml_text("# ##[x]") == "# &#35;#[x]");
    CHECK(xml_text("a\n\tb\r") == "a&#10;&#9;b\\x0d");
    CHECK(xml_text(std::string_view("\0\x1b", 2)) == "\\x00\\x1b");
    CHECK(xml_text("\xc3\xa4\xe2\x86\x92\xf0\x9f\x98\x80") == "\xc3\xa4\xe2\x86\x92\xf0\x9f\x98\x80");
    CHECK(xml_text("a\xff"
                   "b") == "a\\xffb");
    CHECK(xml_text("\xc3") == "\\xc3");                    // cut short
    CHECK(xml_text("\xc0\x80") == "\\xc0\\x80");           // overlong
    CHECK(xml_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
    CHECK(xml_text("\xef\xbf\xbf") == "\\uffff");
    CHECK(xml_text("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond the last
    CHECK(xml_text(std::string(300'000, 'a')).size() < 201'000);
}

TEST_CASE("text for a terminal is escaped where it would act, and no line is a command to what runs a job") {
    CHECK(escaped("\xc2\x9b \xe2\x80\xae\xd8\x9c\xef\xbb\xbf \xf3\xa0\x80\x81 \xff\n\t") ==
          R"(\x9b \u202e\u061c\ufeff \ue0001 \xff\n\t)");
    CHECK(escaped("\xe2\x80\x8d \xc3\xa9 \xe2\x86\x92") == "\xe2\x80\x8d \xc3\xa9 \xe2\x86\x92");
    CHECK(escaped_lines("a::b\n::c::\n\t ::d\n##[e] ##vso[f] ## g\n") ==
          "a::b\n\\::c::\n\t \\::d\n#\\#[e] #\\#vso[f] ## g\n");
    CHECK(escaped_lines("\033[31mred\033[0m \033[2J", true) == "\033[31mred\033[0m \\x1b[2J");
    CHECK(escaped_lines("\033[31mred") == "\\x1b[31mred");
    const std::string much(longest_shown + 10, 'x');
    CHECK_THAT(cut_short(much), StartsWith("xxx") && Contains("x... (10 more bytes, #"));
    CHECK(cut_short(much + 'a') != cut_short(much + 'b'));
    CHECK(cut_short(std::string(longest_shown - 1, 'x') + "\xc3\xa4").find('\xc3') == std::string::npos);
}

TEST_CASE("JSON means the same when what would act in it is escaped") {
    const json value{{"a\xe2\x80\xae", "\xc2\x9b \x7f ##[x] \xf3\xa0\x80\x81 \xc3\xa4"}};
    const std::string text = escaped_json(value.dump());
    CHECK(json::parse(text) == value);
    CHECK(text == std::string(R"({"a\u202e":"\u009b \u007f \u0023#[x] \udb40\udc01 )") + "\xc3\xa4\"}");
}

TEST_CASE("SARIF names the thread flow of a thread that the code on trial created") {
    scenario what = named("trial");
    what.threads = {"main"};
    check_report report;
    report.scenarios.push_back({&what, "graph", race(), false, ""});
    const json log = json::parse(sarif_format().check(report, {}));
    std::vector<std::string> names;
    for (const json& flow : log.at("runs")[0].at("results")[0].at("codeFlows")[0].at("threadFlows")) {
        names.push_back(flow.at("id"));
    }
    CHECK(names == std::vector<std::string>{"construction, finish and destruction", "main", "thread 2"});
}

TEST_CASE("what a violation rests on stands in every report of it") {
    const scenario what = named("event/racy");
    search_result found = race();
    found.limits = {{"assembler", "a fence that was not seen", limit_effect::unseen}};
    check_report report;
    report.scenarios.push_back({&what, "graph", found, false, ""});
    report.scenarios.back().why = explain(what, found);
    CHECK_THAT(text_format().check(report, {}),
               Contains("violated: data race [1]") && Contains("[1]   a fence that was not seen"));
    CHECK_THAT(junit_format().check(report, {}), Contains("<system-out>a fence that was not seen\n</system-out>"));
    const json entry = json::parse(json_format().check(report, {})).at("scenarios").at(0);
    CHECK(entry.at("limits") == json{"a fence that was not seen"});
    CHECK(entry.at("limit_details").at(0).at("id") == "assembler");
    CHECK(entry.at("limit_details").at(0).at("effect") == "unseen");
    const json result = json::parse(sarif_format().check(report, {})).at("runs").at(0).at("results").at(0);
    CHECK_THAT(result.at("message").at("text").get<std::string>(), Contains("Limit: a fence that was not seen"));
    CHECK(result.at("properties").at("limits").at(0).at("id") == "assembler");

    const replay_report replayed{&what, "graph", memory_model::rc11, "token", {}, found, {}, explain(what, found)};
    CHECK_THAT(text_format().replay(replayed, {}), Contains("Limits:\n[1]   a fence that was not seen"));
    CHECK(json::parse(json_format().replay(replayed, {})).at("limits") == json{"a fence that was not seen"});

    audit_report audit = audited(what);
    audited_order weaker;
    weaker.verdict = order_verdict::required;
    weaker.kind = violation_kind::data_race;
    weaker.scenario = what.name;
    weaker.limits = {{"assembler", "a fence that was not seen", limit_effect::unseen}};
    audit.subjects[0].sites[0].weaker = {weaker};
    CHECK_THAT(text_format().audit(audit, {}), Contains("data race in event/racy [1]") && Contains("not seen"));
    const json order =
        json::parse(json_format().audit(audit, {})).at("subjects").at(0).at("sites").at(0).at("weaker").at(0);
    CHECK(order.at("limits") == json{"a fence that was not seen"});
    CHECK(order.at("limit_details").at(0).at("id") == "assembler");
    CHECK(order.at("limit_details").at(0).at("effect") == "unseen");
}

TEST_CASE("a violation does not rest on what the search left out") {
    std::vector<limit> limits{"every execution with at most 2 preemptions",
                              {"general", "g", limit_effect::general},
                              {"hides", "h", limit_effect::hides},
                              {"adds", "a", limit_effect::adds},
                              {"unseen", "u", limit_effect::unseen}};
    keep_those_of_a_violation(limits);
    CHECK(sentences_of(limits) == std::vector<std::string>{"a", "u"});
}

TEST_CASE("a search of no execution is none, also where it was cut short") {
    search_result cut = with(verdict::held_within, {"the search was ended after 0 executions"});
    cut.executions = 0;
    cut.blocked = 7;
    require_executions(cut);
    CHECK(cut.verdict == verdict::inconclusive);
    CHECK_THAT(cut.message, Contains("no execution was followed to its end: 7 were blocked"));
    search_result some = with(verdict::held_within);
    require_executions(some);
    CHECK(some.verdict == verdict::held_within);
    search_result found = race();
    found.executions = 0;
    require_executions(found);
    CHECK(found.verdict == verdict::violated);
}
