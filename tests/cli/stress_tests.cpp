// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

void await_file(const std::string& file) {
    for (int i = 0; i < 3000 && content(file).empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace

TEST_CASE("stress counts outcomes and says what the model says of each") {
    const finished result =
        run_fixture({"stress", "fixture/count_to_two", "--samples", "512", "--seed", "5", "--json", "-"});
    REQUIRE(result.code == 0);
    const json report = json::parse(result.out);
    CHECK(report["schema"] == 1);
    CHECK(report["tool"] == "ordeal");
    REQUIRE(report["scenarios"].size() == 1);
    const json& entry = report["scenarios"][0];
    CHECK(entry["name"] == "fixture/count_to_two");
    CHECK(entry["seed"] == 5);
    CHECK(entry["samples"] >= 512);
    CHECK(entry["as_expected"] == true);
    CHECK(entry["kind"].is_null());
    CHECK(entry["samples_per_second"] > 0);
    REQUIRE(entry["outcomes"].size() == 1);
    CHECK(entry["outcomes"][0]["outcome"] == "2");
    CHECK(entry["outcomes"][0]["samples"] == entry["samples"]);
    CHECK(entry["outcomes"][0]["share"] == 1.0);
    CHECK(entry["outcomes"][0]["model"] == "possible");
    CHECK(entry["outcomes"][0]["expected"] == "acceptable");
    CHECK(entry["not_shown"].empty());
    CHECK(entry["faults_injected"] == 0);
}

TEST_CASE("stress draws a seed and prints it when none is given") {
    const finished result = run_fixture({"stress", "fixture/count_to_two", "--samples", "1", "--json", "-"});
    REQUIRE(result.code == 0);
    const std::string seed = json::parse(result.out)["scenarios"][0]["seed"].dump();
    CHECK_THAT(result.err, Contains("ordeal_cli_fixture: seed " + seed + "\n"));
}

TEST_CASE("stress leaves out scenarios that must be violated, unless one is named exactly") {
    const finished none = run_fixture({"stress", "fixture/lea*", "--samples", "1"});
    CHECK(none.code == 4);
    CHECK_THAT(none.err, Contains("name one exactly"));
    const finished named = run_fixture({"stress", "fixture/leak", "--samples", "1", "--seed", "3"});
    CHECK(named.code == 0);
    CHECK_THAT(named.out, Contains("as expected, violated: leak") && Contains("seed 3"));
    const finished unseen = run_fixture({"stress", "fixture/known_race", "--samples", "256", "--seed", "3"});
    CHECK(unseen.code == 1);
    CHECK_THAT(unseen.out, Contains("real threads did not show it"));
}

TEST_CASE("stress fails on a forbidden outcome and prints the command that repeats it") {
    const finished result = run_fixture({"stress", "graded/forbidden", "--samples", "256", "--seed", "9"});
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("forbidden") && Contains(" stress 'graded/forbidden' --seed 9 --samples 256\n"));
}

TEST_CASE("stress fails on an outcome that the engine, having explored every execution, calls impossible") {
    const finished result =
        run_fixture({"stress", "apart/unlike_the_model", "--samples", "256", "--seed", "9", "--json", "-"});
    CHECK(result.code == 1);
    const json entry = json::parse(result.out)["scenarios"][0];
    CHECK(entry["outcomes"][0]["outcome"] == "real");
    CHECK(entry["outcomes"][0]["model"] == "impossible");
    CHECK(entry["as_expected"] == false);
}

TEST_CASE("a process that dies on real threads is a violation, and the scenarios after it run") {
    const finished result = run_fixture({"stress", "wild/crash", "wild/exit", "wild/exit_quietly", "wild/throws",
                                         "fixture/count_to_two", "--samples", "256", "--seed", "1", "--json", "-"});
    CHECK(result.code == 0);
    const json report = json::parse(result.out);
    REQUIRE(report["scenarios"].size() == 5);
    for (const json& entry : report["scenarios"]) {
        CHECK(entry["as_expected"] == true);
        if (entry["name"] == "fixture/count_to_two") CHECK(entry["verdict"] == "held within");
        if (entry["name"] == "wild/crash") CHECK(entry["kind"] == "crash");
    }
}

TEST_CASE("stress that would never end is refused, and an empty run is no success") {
    CHECK(run_fixture({"stress", "fixture/count_to_two", "--seconds", "0"}).code == 2);
    CHECK(run_fixture({"stress", "no/such"}).code == 2);
    CHECK(run_fixture({"stress", "--samples", "many"}).code == 2);
}

TEST_CASE("a soak ends normally on a signal, and goes on from its file") {
    const temporary_folder folder;
    const std::string file = folder.file("soak.json");
    program soak(ORDEAL_FIXTURE_BINARY,
                 {"stress", "fixture/count_to_two", "--soak", file, "--samples", "256", "--seed", "100"});
    await_file(file);
    soak.send(SIGTERM);
    const finished first = soak.wait();
    CHECK(first.code == 0);
    CHECK_THAT(first.out, Contains("All as expected.") && Contains("Soak: "));
    const json before = json::parse(content(file));
    REQUIRE(before["rounds"] >= 1);
    CHECK(before["first_seed"] == 100);

    const double until = before["seconds"].get<double>() + 0.3;
    const finished second = run_fixture({"stress", "fixture/count_to_two", "--soak", file, "--samples", "256",
                                         "--seconds", std::to_string(until), "--json", "-"});
    CHECK(second.code == 0);
    const json after = json::parse(content(file));
    CHECK(after["rounds"] > before["rounds"]);
    CHECK(after["scenarios"][0]["ran"]["executions"] > before["scenarios"][0]["ran"]["executions"]);
    const json report = json::parse(second.out);
    CHECK(report["rounds"] == after["rounds"]);
    CHECK(report["scenarios"][0]["samples"] == after["scenarios"][0]["ran"]["executions"]);
    CHECK(report["scenarios"][0]["seed"] == 100 + after["rounds"].get<int>() - 1);
    CHECK(folder.files() == std::vector<std::string>{"soak.json"});
}

TEST_CASE("a soak with a violation goes on with the other scenarios, and stays a failure") {
    const temporary_folder folder;
    const std::string file = folder.file("soak.json");
    const std::vector<std::string> command{
        "stress", "graded/unsound", "fixture/count_to_two", "--soak", file, "--seconds", "1", "--samples", "256"};
    const finished result = run_fixture(command);
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("violated: failed requirement") && Contains(" stress 'graded/unsound' --seed"));
    CHECK(json::parse(content(file))["rounds"] > 1);
    CHECK(run_fixture(command).code == 1);  // its time is over; the file remembers
}

TEST_CASE("a soak refuses a file that does not fit, and leaves it as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("soak.json");
    const auto soak = [&](const char* scenario, const char* seed) {
        return run_fixture(
            {"stress", scenario, "--soak", file, "--seconds", "0.2", "--samples", "256", "--seed", seed});
    };
    REQUIRE(soak("fixture/count_to_two", "1").code == 0);
    const std::string before = content(file);
    const finished other = soak("fixture/nine_threads", "1");
    CHECK(other.code == 2);
    CHECK_THAT(other.err, Contains("other scenarios"));
    CHECK(soak("fixture/count_to_two", "2").code == 2);
    CHECK(content(file) == before);
    std::ofstream(file) << "{\"schema\":1,\"tool\":\"ordeal\"}";
    CHECK(soak("fixture/count_to_two", "1").code == 2);
}
