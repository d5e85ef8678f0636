// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/baseline.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <stdexcept>

using namespace ordeal;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

json site_of(const char* function, unsigned line, const char* role, const char* declared) {
    json result;
    result["file"] = "src/latch.hpp";
    result["line"] = line;
    result["column"] = 5;
    result["function"] = function;
    result["operation"] = result["role"] = role;
    result["declared"] = declared;
    result["verdict"] = "minimal";
    result["stronger"] = nullptr;
    result["weaker"] = json::array();
    return result;
}

json place(const json& of) {
    json result;
    for (const char* key : {"file", "line", "column", "role", "declared"}) result[key] = of.at(key);
    return result;
}

// Two sites and one minimal assignment; counts, times and tokens are left out as a kept file may.
json report() {
    json result = json::parse(R"({
        "schema": 1, "tool": "ordeal", "engine": "graph", "model": "rc11", "stopped_early": false,
        "subjects": [{
            "name": "latch", "verdict": "held", "kind": null,
            "scenarios": [{"name": "latch/a", "verdict": "held", "kind": null}],
            "sites": [],
            "minimal_assignments": [{"sites": [], "assignments": [{"orders": ["release", "acquire"]}], "complete": true}],
            "repairs": []
        }]
    })");
    json& subject = result["subjects"][0];
    for (const json& each : {site_of("open", 10, "store", "release"), site_of("wait", 20, "load", "acquire")}) {
        subject["sites"].push_back(each);
        subject["sites"].back()["weaker"] =
            json::parse(R"([{"order": "relaxed", "verdict": "required", "kind": "data race"}])");
        subject["minimal_assignments"][0]["sites"].push_back(place(each));
    }
    return result;
}

std::vector<std::string> differences(const json& was, const json& is, bool all = true) {
    const auto made =
        detail::compare_audits(detail::parse_baseline_audit(was.dump()), detail::parse_baseline_audit(is.dump()), all);
    std::vector<std::string> result;
    for (const auto& each : made.differences) result.push_back(each.sentence);
    return result;
}

using sentences = std::vector<std::string>;

void move_lines(json& of, unsigned by) {
    if (of.is_object() && of.contains("line")) of["line"] = of["line"].get<unsigned>() + by;
    if (!of.is_structured()) return;
    for (json& each : of) move_lines(each, by);
}

}  // namespace

TEST_CASE("what only moved by lines is no difference, nor are counts, times and tokens") {
    json moved = report();
    move_lines(moved, 7);
    moved["seconds"] = 3.5;
    moved["subjects"][0]["executions"] = 12;
    moved["subjects"][0]["sites"][0]["weaker"][0]["replay"] = "o1:graph:latch/a:0";
    CHECK(differences(report(), moved).empty());
}

TEST_CASE("a changed verdict of a subject, of a scenario, of a site and of an order is told in words") {
    json is = report();
    json& subject = is["subjects"][0];
    subject["verdict"] = "violated";
    subject["kind"] = "data race";
    subject["scenarios"][0]["verdict"] = "violated";
    subject["scenarios"][0]["kind"] = "data race";
    subject["sites"][0]["verdict"] = "undecided";
    subject["sites"][0]["weaker"][0]["verdict"] = "not required";
    subject["sites"][0]["weaker"][0]["kind"] = nullptr;
    CHECK(differences(report(), is) ==
          sentences{"latch: was held; is violated: data race", "scenario latch/a: was held; is violated: data race",
                    "latch.hpp:10 open() store: was release, minimal; is release, undecided",
                    "latch.hpp:10 open() store, relaxed in place of release: was required (data race); "
                    "is not required by itself"});
}

TEST_CASE("a violation of another kind is a difference") {
    json is = report();
    is["subjects"][0]["sites"][1]["weaker"][0]["kind"] = "deadlock";
    CHECK(
        differences(report(), is) ==
        sentences{
            "latch.hpp:20 wait() load, relaxed in place of acquire: was required (data race); is required (deadlock)"});
}

TEST_CASE("a rewritten order is one difference at its site, not a site lost and a new one") {
    json is = report();
    json& changed = is["subjects"][0]["sites"][0];
    changed["declared"] = "relaxed";
    changed["verdict"] = "too weak";
    changed["stronger"] = "release";
    changed["weaker"] = json::array();
    is["subjects"][0]["minimal_assignments"][0]["sites"][0]["declared"] = "relaxed";
    CHECK(differences(report(), is) ==
          sentences{"latch.hpp:10 open() store: was release, minimal; is relaxed, too weak, needs release"});
}

TEST_CASE("of equal sites of one function the one that is lost or new is found by its order") {
    json was = report();
    json& sites = was["subjects"][0]["sites"];
    sites.push_back(site_of("wait", 25, "load", "relaxed"));
    sites.push_back(site_of("wait", 30, "load", "acquire"));
    json is = report();
    is["subjects"][0]["sites"].push_back(site_of("wait", 40, "load", "acquire"));
    CHECK(differences(was, is) == sentences{"lost: latch.hpp wait() load, number 2 of 3, relaxed, minimal"});
    CHECK(differences(is, was) == sentences{"new: latch.hpp:25 wait() load, relaxed, minimal"});
}

TEST_CASE("minimal assignments are compared as a set, and those that differ are told by what they change") {
    json was = report();
    json& assignments = was["subjects"][0]["minimal_assignments"][0]["assignments"];
    assignments = json::parse(R"([{"orders": ["relaxed", "acquire"]}, {"orders": ["release", "acquire"]}])");
    json is = was;
    std::swap(is["subjects"][0]["minimal_assignments"][0]["assignments"][0],
              is["subjects"][0]["minimal_assignments"][0]["assignments"][1]);
    CHECK(differences(was, is).empty());
    is = report();
    is["subjects"][0]["minimal_assignments"][0]["complete"] = false;
    CHECK(differences(was, is) ==
          sentences{"minimal assignments: was all; is perhaps not all",
                    "lost: minimal assignment: relaxed at latch.hpp:10 open() store, the others as written"});
}

TEST_CASE("repairs are compared by what they change, where the place names its declared order or not") {
    json was = report();
    json change = place(was["subjects"][0]["sites"][0]);
    change["order"] = "seq_cst";
    was["subjects"][0]["repairs"] = json::parse(R"([{"changes": []}])");
    was["subjects"][0]["repairs"][0]["changes"].push_back(change);
    json is = was;
    is["subjects"][0]["repairs"][0]["changes"][0]["declared"] = nullptr;
    CHECK(differences(was, is).empty());
    CHECK(differences(was, report()) == sentences{"lost: repair: seq_cst at latch.hpp:10 open() store"});
    CHECK(differences(report(), was) == sentences{"new: repair: seq_cst at latch.hpp:10 open() store"});
}

TEST_CASE("an accepted violation that is met no more is a difference, and one that moved is none") {
    json was = report();
    was["subjects"][0]["scenarios"][0]["accepted"] =
        json::parse(R"([{"kind": "data race", "file": "src/latch.hpp", "line": 8, "executions": 3}])");
    json is = was;
    move_lines(is, 1);
    CHECK(differences(was, is).empty());
    CHECK(differences(was, report()) == sentences{"lost: accepted data race in src/latch.hpp: it is not met"});
}

TEST_CASE("a subject that was not asked for is no difference, and one that is gone is") {
    json is = report();
    is["subjects"] = json::array();
    CHECK(differences(report(), is) == sentences{"lost: subject latch, held"});
    CHECK(differences(is, report()) == sentences{"new: subject latch, held"});
    CHECK(differences(report(), is, false).empty());
    CHECK(detail::compare_audits(detail::parse_baseline_audit(report().dump()), detail::parse_baseline_audit(is.dump()),
                                 false)
              .left_out == 1);
}

TEST_CASE("what is no report of a whole audit is refused, and what is wrong is said") {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            (void)detail::parse_baseline_audit(text);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "read";
    };
    CHECK(refusal(report().dump()) == "read");
    CHECK(refusal("") == "it is no JSON");
    CHECK(refusal("[]") == "it is no JSON object");
    CHECK(refusal("{}") == "ordeal did not write it");
    json other = report();
    other["schema"] = 2;
    CHECK(refusal(other.dump()) == "its schema is 2, and this program reads 1");
    other = report();
    other.erase("subjects");
    CHECK_THAT(refusal(other.dump()), Contains("another command"));
    other = report();
    other["stopped_early"] = true;
    CHECK(refusal(other.dump()) == "that audit was stopped early");
    // Each part that is read may be of another type.
    const json whole = report().flatten();
    for (const auto& [key, value] : whole.items()) {
        json changed = report();
        changed[json::json_pointer(key)] = json::object();
        CAPTURE(key);
        CHECK(refusal(changed.dump()) != "read");
    }
}
