// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

// Until a search has begun; by then signals are handled.
void wait_for_child(const program& watched) {
    for (int i = 0; i < 1000 && !watched.has_children(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(watched.has_children());
}

char state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto name_end = line.rfind(") ");
    return name_end == std::string::npos ? '?' : line.at(name_end + 2);
}

// Until its code on trial sleeps: a search that has not yet begun ends at the first signal.
void wait_for_sleeping_child(const program& watched) {
    wait_for_child(watched);
    const pid_t child = watched.child();
    for (int i = 0; i < 1000 && state_of(child) != 'S'; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(state_of(child) == 'S');
}

}  // namespace

TEST_CASE("SIGINT keeps what is done, says so, and leaves a whole report") {
    const temporary_folder folder;
    const std::string file = folder.file("out.json");
    program running(ORDEAL_FIXTURE_BINARY,
                    {"check", "long", "wild/exit", "--jobs", "1", "--time-budget", "100", "--json", file});
    wait_for_child(running);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    running.send(SIGINT);
    const finished result = running.wait();
    CHECK(result.code == 4);
    CHECK_THAT(result.out, Contains("long/endless_search") && Contains("Stopped early: 1 scenario not begun."));
    CHECK_THAT(result.out, !Contains("All as expected"));
    CHECK_THAT(result.err, Contains("stopping"));
    const json report = json::parse(content(file));
    CHECK(report.at("stopped_early") == true);
    CHECK(report.at("not_begun") == 1);
    REQUIRE(report.at("scenarios").size() == 1);
    CHECK(report.at("scenarios").at(0).at("verdict") == "held within");
    CHECK(report.at("scenarios").at(0).at("executions") > 0);
    CHECK(folder.files() == std::vector<std::string>{"out.json"});
}

TEST_CASE("SIGINT ends a scenario that does not come to a scheduling point, too") {
    program running(ORDEAL_FIXTURE_BINARY, {"check", "hang/asleep", "--time-budget", "100", "--json", "-"});
    wait_for_sleeping_child(running);
    running.send(SIGINT);
    const finished result = running.wait();
    CHECK(result.code == 4);
    const json report = json::parse(result.out);
    CHECK(report.at("stopped_early") == true);
    CHECK(report.at("scenarios").at(0).at("verdict") == "inconclusive");
}

TEST_CASE("a second SIGINT aborts and leaves no file") {
    const temporary_folder folder;
    program running(ORDEAL_FIXTURE_BINARY,
                    {"check", "hang/asleep", "--time-budget", "100", "--json", folder.file("out.json")});
    wait_for_sleeping_child(running);
    running.send(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    running.send(SIGINT);
    const finished result = running.wait();
    CHECK(result.signal == SIGINT);
    CHECK(result.out.empty());
    CHECK(folder.files().empty());
}

TEST_CASE("a search that is killed from outside is inconclusive, not a crash of the code on trial") {
    for (const auto& [signal, name] : {std::pair{SIGKILL, "SIGKILL"}, std::pair{SIGHUP, "SIGHUP"}}) {
        program running(ORDEAL_FIXTURE_BINARY, {"check", "hang/asleep", "--time-budget", "100", "--json", "-"});
        wait_for_child(running);
        REQUIRE(kill(running.child(), signal) == 0);
        const finished result = running.wait();
        CAPTURE(name);
        CHECK(result.code == 1);
        const json entry = json::parse(result.out).at("scenarios").at(0);
        CHECK(entry.at("verdict") == "inconclusive");
        CHECK(entry.at("kind").is_null());
        CHECK_THAT(entry.at("message").get<std::string>(), Contains(std::string("killed from outside by ") + name));
    }
}

TEST_CASE("option --quiet says nothing on standard error") {
    program running(ORDEAL_FIXTURE_BINARY, {"check", "long", "--quiet", "--time-budget", "0.3"});
    const finished result = running.wait();
    CHECK(result.code == 0);
    CHECK(result.err.empty());
}
