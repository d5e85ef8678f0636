// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as Markdown and JUnit, from a report that is made up.
#include "ordeal/report/formats.hpp"
#include "ordeal/scenario/source_files.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

site made_up_site(std::uint32_t line, role what, const char* operation, order declared) {
    site result;
    result.key = {"src/latch.hpp", line, 5, what};
    result.atomic = true;
    result.function = "open";
    result.operation = operation;
    result.declared = declared;
    return result;
}

// A subject with one of everything.
struct example {
    scenario fine;
    audit_report report;

    example() {
        fine.name = "latch/a";
        fine.subject = "latch";
        audited_subject& subject = report.subjects.emplace_back();
        subject.name = "latch";
        subject.verdict = verdict::held_within;
        subject.as_expected = true;
        search_result result;
        result.verdict = verdict::held_within;
        result.limits = {limit("at most | 3 <preemptions>")};
        result.accepted = {{violation_kind::data_race, "src/latch.hpp", 8, 3}};
        subject.scenarios.push_back({.what = &fine, .as_expected = true, .result = result});

        audited_site store;
        store.where = made_up_site(10, role::store, "store", order::seq_cst);
        store.verdict = site_verdict::stronger_than_needed;
        store.note = "release -> every scenario held";
        audited_order tried;
        tried.tried = order::relaxed;
        tried.verdict = order_verdict::required;
        tried.kind = violation_kind::data_race;
        tried.scenario = "latch/a";
        tried.models = models_of_violation{memory_model::rc11, true};
        tried.limits = {limit("a bound")};
        store.weaker.push_back(tried);
        store.weaker.emplace_back().tried = order::release;
        store.weaker.back().verdict = order_verdict::not_required;

        audited_site load;
        load.where = made_up_site(20, role::failure, "compare_exchange_weak", order::relaxed);
        load.verdict = site_verdict::unexercised;
        load.note = "no scenario has it meet another thread";

        subject.sites = {store, load};
        joint_table& table = subject.joint.emplace_back();
        table.sites = {store.where, load.where};
        table.minimal = {{{order::release, order::relaxed}, {limit("a bound")}, true, {}}};
        table.note = "the limit on searches was reached";
        table.all_at_once = tried;
        subject.repairs.push_back({{{store.where.key, order::seq_cst}}, {limit("a bound")}});
        report.engine = "graph";
        report.baseline = {
            .file = "kept.json", .differences = {{"latch", "site", "latch.hpp:10 was | is"}}, .left_out = 1};
        report.strict = std::vector<shortfall>{{"latch", "latch.hpp:20 load", "unexercised"}};
    }
};

void collect_keys(const json& of, std::set<std::string>& into) {
    if (of.is_object()) {
        for (const auto& [key, value] : of.items()) {
            into.insert(key);
            if (key != "parameters" && key != "detected_by" && key != "outcomes") collect_keys(value, into);
        }
    } else if (of.is_array()) {
        for (const json& each : of) collect_keys(each, into);
    }
}

std::string document(const char* path) {
    std::ifstream in(std::string(ORDEAL_SOURCE_ROOT "/") + path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("the Markdown of an audit has its verdicts, tables, repairs and what was asked for beside them") {
    const example made;
    const std::string text = markdown_format().audit(made.report, {});
    CHECK_THAT(text, Contains("# Memory orders\n\n1 subject audited with graph.\n"));
    CHECK_THAT(text, Contains("\n## latch\n\n*held within* as written, in 1 scenario."));
    CHECK_THAT(text, Contains("| `latch.hpp:10` `open()` | store | seq_cst | stronger than needed | "
                              "relaxed: required (data race)<br>release: not required by itself |\n"));
    CHECK_THAT(text, Contains("1 minimal assignment, perhaps not all."));
    CHECK_THAT(text, Contains("Not all were looked for: the limit on searches was reached."));
    CHECK_THAT(text, Contains("| store | seq_cst | **release** |\n"));
    CHECK_THAT(text, Contains("1. repair: `src/latch.hpp@10.5.store=seq_cst`"));
    CHECK_THAT(text, Contains("## Compared with `kept.json`\n\n- latch: latch.hpp:10 was \\| is\n"));
    CHECK_THAT(text, Contains("## Not decided for every execution\n\n- latch: latch.hpp:20 load: unexercised\n"));
    // What the code on trial says is text.
    CHECK_THAT(text, Contains("at most \\| 3 \\<preemptions\\>"));
}

TEST_CASE(
    "the Markdown of an audit calls an order stronger on purpose where its comment has a reason outside the model") {
    example made;
    made.report.subjects[0].sites[0].on_purpose = true;
    CHECK_THAT(markdown_format().audit(made.report, {}), Contains("| store | seq_cst | stronger on purpose | "));
}

TEST_CASE("the Markdown of an audit has no counts and no times, so that it changes only when its words do") {
    example made;
    const std::string before = markdown_format().audit(made.report, {});
    made.report.seconds = 7;
    made.report.subjects[0].searches = 3;
    made.report.subjects[0].executions = 30;
    made.report.subjects[0].scenarios[0].result.executions = 30;
    CHECK(markdown_format().audit(made.report, {}) == before);
}

TEST_CASE("the JUnit of an audit has a test case for each scenario and site, and skips what is not decided") {
    example made;
    made.report.baseline.reset();
    made.report.strict.reset();
    const std::string text = junit_format().audit(made.report, {});
    CHECK_THAT(text, Contains(R"(<testsuites name="ordeal audit" tests="3" failures="0" errors="0" skipped="1")"));
    CHECK_THAT(text, Contains(R"(classname="audit.latch" name="latch/a")"));
    CHECK_THAT(text, Contains(R"(name="latch.hpp:20 compare_exchange_weak (failure) relaxed" time="0.000">)"
                              "\n      <skipped message=\"unexercised: no scenario has it meet another thread\"/>"));
    CHECK_THAT(text, Contains("at most | 3 &lt;preemptions&gt;"));

    made.report.subjects[0].scenarios[0].as_expected = false;
    CHECK_THAT(junit_format().audit(made.report, {}),
               Contains(R"(<failure type="held within" message="held within, expected held">)"));
    made.report.stopped = true;
    CHECK_THAT(junit_format().audit(made.report, {}), Contains(R"(<error type="not run" message="stopped early"/>)"));
}

TEST_CASE("in the JUnit of an audit a difference and an undecided point that was asked for are failures") {
    example made;
    made.report.subjects[0].scenarios[0].as_expected = false;  // known from the earlier report
    const std::string text = junit_format().audit(made.report, {});
    CHECK_THAT(text, Contains(R"(tests="5" failures="2" errors="0" skipped="1")"));
    CHECK_THAT(text, Contains(R"(<failure type="baseline" message="not as in kept.json">latch.hpp:10 was | is)"));
    CHECK_THAT(text, Contains(R"(<failure type="not decided" message="unexercised"/>)"));
}

TEST_CASE("every key of the JSON report of an audit is in the document that describes it") {
    const example made;
    std::set<std::string> keys;
    collect_keys(json::parse(json_format().audit(
                     made.report, {.token_of = [](const shown_violation&) { return std::string("o1:token"); }})),
                 keys);
    CHECK(keys.size() > 40);
    const std::string text = document("reference-data/json.md");
    for (const std::string& key : keys) {
        INFO(key << " is in no row of the page on the keys of the JSON reports");
        CHECK(text.find("`" + key + "`") != std::string::npos);
    }
}
