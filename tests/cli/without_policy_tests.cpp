// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scenarios without a policy in the program that users get: those of the production code, as it ships.
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <map>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

finished run_ordeal(std::vector<std::string> arguments) { return run(ORDEAL_BINARY, std::move(arguments)); }

constexpr const char* why = "code without a policy can be searched by the graph engine only";
constexpr const char* modelled = "it was compiled for the model alone; ordeal_add_suite() in place of";

}  // namespace

TEST_CASE("every production scenario is there without a policy too, and is the same in all that it says of itself") {
    const finished result = run_ordeal({"list", "--json", "-"});
    REQUIRE(result.code == 0);
    std::map<std::string, json> all;
    const json report = json::parse(result.out);
    for (const json& each : report.at("scenarios")) all.emplace(each.at("name"), each);
    std::size_t production = 0;
    std::size_t plain = 0;
    for (const auto& [name, entry] : all) {
        plain += name.starts_with("plain/") ? 1 : 0;
        if (entry.at("exhibit") == true || name.starts_with("plain/")) continue;
        ++production;
        CAPTURE(name);
        REQUIRE(all.contains("plain/" + name));
        json copy = all.at("plain/" + name);
        CHECK(copy.at("subject") == "plain/" + entry.at("subject").get<std::string>());
        copy["name"] = entry.at("name");
        copy["subject"] = entry.at("subject");
        CHECK(copy.at("engines") == json{"graph"});  // and no other
        CHECK(copy.at("real_threads") == false);
        CHECK(entry.at("real_threads") == true);
        copy["engines"] = entry.at("engines");
        copy["real_threads"] = true;
        CHECK(copy == entry);
    }
    CHECK(production > 40);
    CHECK(plain == production + 1);  // one that only the graph engine can search
}

TEST_CASE(
    "without a policy the production code has the outcomes and the verdicts that it has with one, and no more "
    "executions") {
    const finished result = run_ordeal({"check", "--engine", "graph", "--json", "-"});
    REQUIRE(result.code == 0);
    std::map<std::string, json> all;
    const json report = json::parse(result.out);
    for (const json& each : report.at("scenarios")) all.emplace(each.at("name"), each);
    for (const auto& [name, entry] : all) {
        if (!all.contains("plain/" + name)) continue;
        CAPTURE(name);
        for (const char* const what : {"verdict", "outcomes", "limits"}) {
            CHECK(all.at("plain/" + name).at(what) == entry.at(what));
        }
        CHECK(all.at("plain/" + name).at("executions").get<int>() <= entry.at("executions").get<int>());
    }
    CHECK(all.at("plain/event/set_against_one_waiter").at("executions") == 4);
    CHECK(all.at("plain/event/set_against_two_waiters").at("executions") == 21);
    CHECK(all.at("plain/event/set_against_three_waiters_that_look").at("executions") == 150);
}

TEST_CASE("an audit without a policy says of each order what an audit with one says, at the same line") {
    const finished result =
        run_ordeal({"audit", "task", "manual_reset_event", "awaitable_event", "sync_wait", "plain/*", "--json", "-"});
    REQUIRE(result.code == 0);
    // Which of several violations is shown first may differ: without a policy there are more accesses.
    std::map<std::string, json> verdicts;
    const json report = json::parse(result.out);
    for (const json& subject : report.at("subjects")) {
        json& sites = verdicts[subject.at("name")];
        for (const json& each : subject.at("sites")) {
            json weaker = json::object();
            for (const json& tried : each.at("weaker")) {
                weaker[tried.at("order").get<std::string>()] = tried.at("verdict");
            }
            sites.push_back({{"file", each.at("file")},
                             {"line", each.at("line")},
                             {"role", each.at("role")},
                             {"declared", each.at("declared")},
                             {"verdict", each.at("verdict")},
                             {"reason", each.at("reason")},
                             {"weaker", std::move(weaker)}});
        }
    }
    REQUIRE(verdicts.size() == 8);
    for (const char* const subject : {"task", "manual_reset_event", "awaitable_event", "sync_wait"}) {
        CAPTURE(subject);
        CHECK(verdicts.at(subject).size() >= 4);
        CHECK(verdicts.at(std::string("plain/") + subject) == verdicts.at(subject));
    }
}

TEST_CASE("an engine that needs the policy leaves out what has none, and says so") {
    const finished result = run_ordeal({"check", "*/resumes_newest_first", "--engine", "relacy"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("event/resumes_newest_first") && !Contains("plain/"));
    CHECK_THAT(result.err, Contains("1 scenario left out: ") && Contains(why));
}

TEST_CASE("an engine that needs the policy refuses what has none when it is named") {
    const finished named = run_ordeal({"check", "plain/event/resumes_newest_first", "--engine", "relacy"});
    CHECK(named.code == 1);
    CHECK_THAT(named.out, Contains("inconclusive") && Contains(why));
    for (const char* command : {"check", "audit"}) {
        const finished all = run_ordeal({command, "plain/event/*", "--engine", "relacy"});
        CHECK(all.code == 3);
        CHECK(all.out.empty());
        CHECK_THAT(all.err, Contains(why));
    }
}

TEST_CASE("with all engines, code without a policy is searched by the one that can, and compared with none") {
    const finished result = run_ordeal({"check", "*/resumes_newest_first", "--engine", "all", "--json", "-"});
    CAPTURE(result.err, result.out);
    CHECK(result.code == 0);
    const json report = json::parse(result.out);
    std::map<std::string, int> searches;
    for (const json& each : report.at("scenarios")) ++searches[each.at("name").get<std::string>()];
    CHECK(searches.at("event/resumes_newest_first") == 2);
    CHECK(searches.at("plain/event/resumes_newest_first") == 1);
    for (const json& each : report.at("comparison")) {
        CHECK_THAT(each.at("scenario").get<std::string>(), !Contains("plain/"));
    }
}

TEST_CASE("real threads leave out what has no policy, and refuse it when it is named") {
    const finished named = run_ordeal({"stress", "plain/event/resumes_newest_first", "--samples", "1"});
    CHECK(named.code == 2);
    CHECK_THAT(named.err, Contains("plain/event/resumes_newest_first") && Contains(modelled));
    const finished only = run_ordeal({"stress", "plain/event/*", "--samples", "1"});
    CHECK(only.code == 4);
    CHECK_THAT(only.err, Contains(modelled));
    const finished some = run_ordeal({"stress", "*/resumes_newest_first", "--samples", "1"});
    CHECK(some.code == 0);
    CHECK_THAT(some.out, Contains("event/resumes_newest_first") && !Contains("plain/"));
}
