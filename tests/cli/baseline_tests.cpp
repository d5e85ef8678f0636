// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <fstream>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

finished audit(std::vector<std::string> more) {
    more.insert(more.begin(), {"audit", "--quiet"});
    return run(ORDEAL_BINARY, std::move(more));
}

std::string written(const temporary_folder& folder, const json& value) {
    const std::string file = folder.file("changed.json");
    std::ofstream(file) << value;
    return file;
}

}  // namespace

TEST_CASE("an audit is as in its own report, and a change of that report is a difference that fails") {
    const temporary_folder folder;
    const std::string kept = folder.file("kept.json");
    REQUIRE(audit({"sync_wait", "bug_complete_without_release", "--json", kept}).code == 0);

    const finished same = audit({"sync_wait", "bug_complete_without_release", "--baseline", kept});
    CHECK(same.code == 0);
    CHECK_THAT(same.out, Contains("\nas in " + kept + "\n"));
    // Only what is audited is compared.
    CHECK(audit({"sync_wait", "--baseline", kept}).code == 0);
    // Without a pattern the file says what is audited.
    const finished whole = audit({"--baseline", kept});
    CHECK(whole.code == 0);
    CHECK_THAT(whole.out, Contains("2 subjects audited with graph"));

    json changed = json::parse(content(kept));
    changed.at("subjects").at(1).at("sites").at(1).at("verdict") = "undecided";
    const finished other =
        audit({"sync_wait", "--baseline", written(folder, changed), "--json", folder.file("new.json")});
    CHECK(other.code == 1);
    CHECK_THAT(other.out, Contains("1 difference from "));
    CHECK_THAT(other.out, Contains("notify() store: was release, undecided; is release, minimal"));
    CHECK_THAT(other.out, Contains("1 subject of the file not audited"));
    const json report = json::parse(content(folder.file("new.json"))).at("baseline");
    CHECK(report.at("file") == folder.file("changed.json"));
    CHECK(report.at("differences").size() == 1);
    CHECK(report.at("differences").at(0).at("subject") == "sync_wait");
}

TEST_CASE("a baseline that cannot be compared is a usage error before any search") {
    const temporary_folder folder;
    const std::string kept = folder.file("kept.json");
    REQUIRE(audit({"sync_wait", "--json", kept}).code == 0);
    const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
        const finished result = audit(std::move(arguments));
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(why));
    };
    refused({"sync_wait", "--baseline", folder.file("missing.json")}, "No such file or directory");
    refused({"sync_wait", "--baseline", folder.file("")}, "Is a directory");
    refused({"sync_wait", "--baseline", written(folder, "text")}, "is no JSON report of a whole audit");
    refused({"sync_wait", "--baseline", kept, "--model", "tso"}, "was made with --model cpp20, and this audit has tso");
    refused({"sync_wait", "--baseline", kept, "--engine", "relacy"}, "was made with --engine graph");
    const std::string first = json::parse(content(kept)).at("subjects").at(0).at("scenarios").at(0).at("name");
    const std::string second = json::parse(content(kept)).at("subjects").at(0).at("scenarios").at(1).at("name");
    refused({first, "--baseline", kept},
            "has '" + second + "' of the subject 'sync_wait', which the patterns leave out");
    refused({"sync_wait", "--baseline", ""}, "the name of the file is empty");
    CHECK(run(ORDEAL_BINARY, {"check", "sync_wait", "--baseline", kept}).code == 2);
}

TEST_CASE("with --strict what is not decided for every execution fails, and a line says what") {
    const finished open = audit({"dekker_lock", "--strict", "--model", "tso"});
    CHECK(open.code == 1);
    CHECK_THAT(open.out, Contains(" not decided for every execution.\n  dekker_lock: scenario "));
    CHECK_THAT(open.out, Contains("held within: only the executions of TSO were explored"));
    CHECK(audit({"dekker_lock", "--strict"}).code == 0);
    // There is no weaker order for a relaxed site that is not exercised.
    CHECK(audit({"task", "--strict"}).code == 0);
    const finished decided = audit({"sync_wait", "--strict", "--json", "-"});
    CHECK(decided.code == 0);
    CHECK(json::parse(decided.out).at("strict").empty());

    const finished all = run(ORDEAL_BINARY, {"check", "sync_wait", "--strict", "--quiet"});
    CHECK(all.code == 0);
    CHECK_THAT(all.out, Contains("Strict: nothing is undecided"));
    const finished few = run(ORDEAL_BINARY, {"check", "sync_wait", "--strict", "--quiet", "--search", "random=3"});
    CHECK(few.code == 1);
    CHECK_THAT(few.out, Contains("held within: 3 random executions"));
    CHECK(run(ORDEAL_BINARY, {"check", "sync_wait", "--quiet", "--search", "random=3"}).code == 0);
}

TEST_CASE("an audit continues past a violation that is accepted, names it, and says which was not met") {
    const finished as_written = audit({"bug_unconditional_suspend", "--json", "-"});
    const json before = json::parse(as_written.out).at("subjects").at(0);
    REQUIRE(before.at("verdict") == "violated");
    REQUIRE(before.at("kind") == "failed requirement");

    const finished result =
        audit({"bug_unconditional_suspend", "--accept", "failed-requirement", "--accept", "leak", "--json", "-"});
    CAPTURE(result.err);
    const json subject = json::parse(result.out).at("subjects").at(0);
    CHECK(subject.at("verdict") == "held within");
    const json& scenario = subject.at("scenarios").at(0);
    CHECK(scenario.at("accepted").at(0).at("kind") == "failed requirement");
    CHECK(scenario.at("accepted").at(0).at("executions") >= 1);
    CHECK(scenario.at("limit_details").at(0).at("id") == "accepted");
    CHECK(result.err == "ordeal: accepted, but not met: --accept 'leak' matched no violation\n");
}

TEST_CASE("an audit prints what a token must be replayed with") {
    const finished plain = run(ORDEAL_BINARY, {"audit", "bug_unconditional_suspend"});
    CHECK_THAT(plain.out, !Contains("--accept"));
    const finished result = run(ORDEAL_BINARY, {"audit", "sync_wait", "--accept", "leak"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("' --accept 'leak'\n"));
}

TEST_CASE("acceptances come from a file, with comments, and what is wrong in it is said with its line") {
    const temporary_folder folder;
    const std::string file = folder.file("accepted.txt");
    const auto keep = [&](const char* text) { std::ofstream(file) << text; };
    keep("# what is known\n\n  data-race@tests/cli/fixtures/verdicts.cpp  # the flag is relaxed\nleak\r\n");
    const finished result = run_fixture({"check", "fixture/unexpected_race", "--accept", "@" + file, "--quiet"});
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("data race at tests/cli/fixtures/verdicts.cpp:"));
    CHECK(result.err == "ordeal_cli_fixture: accepted, but not met: --accept 'leak' matched no violation\n");

    const auto refused = [&](const char* text, const std::string& why) {
        keep(text);
        const finished bad = run_fixture({"check", "fixture/unexpected_race", "--accept", "@" + file});
        CHECK(bad.code == 2);
        CHECK_THAT(bad.err, Contains(why));
    };
    refused("leak\n\nno kind\n", "line 3: not KIND");
    refused("crash\n", "line 1: no search can continue past 'crash'");
    refused("deadlock@one.hpp:3\n", "line 1: 'deadlock' is of an execution, not of a place");
    refused("@other\n", "line 1: a file of acceptances names no other");
    CHECK(run_fixture({"check", "fixture/unexpected_race", "--accept", "@" + folder.file("missing")}).code == 2);
}
