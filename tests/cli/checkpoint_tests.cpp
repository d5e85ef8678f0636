// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <utility>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr int all_executions = 369'600;

json searched(std::vector<std::string> options, int code) {
    options.insert(options.begin(), {"check", "many/twelve_increments", "--engine", "graph", "--json", "-"});
    const finished result = run_fixture(std::move(options));
    CAPTURE(result.err);
    CHECK(result.code == code);
    return json::parse(result.out).at("scenarios").at(0);
}

// Over before the first execution: what it leaves is the whole search.
finished at_once(const char* path, const std::string& file, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"check", "many/twelve_increments", "--engine", "graph", "--time-budget", "1e-9",
                               "--checkpoint", file});
    return run(path, std::move(more));
}

void make_checkpoint(const std::string& file) {
    REQUIRE(searched({"--time-budget", "0.01", "--checkpoint", file, "--jobs", "1"}, 0).at("verdict") == "held within");
}

void check_goes_on(const std::string& program, const std::string& file) {
    const finished result = at_once(program.c_str(), file);
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("held within"));
}

void check_refused(const std::string& program, const std::string& file, const std::string& says,
                   std::vector<std::string> more = {}) {
    const std::string before = content(file);
    const finished result = at_once(program.c_str(), file, std::move(more));
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(says));
    CHECK(content(file) == before);
}

void write_program(const std::string& path, const std::string& bytes) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("one search counts the same executions in one process and in several") {
    for (const char* jobs : {"1", "3"}) {
        const json entry = searched({"--jobs", jobs, "--time-budget", "0"}, 0);
        CAPTURE(jobs);
        CHECK(entry.at("verdict") == "held");
        CHECK(entry.at("executions") == all_executions);
        CHECK(entry.at("outcomes") == json{{"12", all_executions}});
    }
}

TEST_CASE("a search that is cut short leaves a checkpoint, goes on from it, and takes it away at its end") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const json first = searched({"--time-budget", "0.01", "--checkpoint", file, "--jobs", "1"}, 0);
    CHECK(first.at("verdict") == "held within");
    CHECK(first.at("executions") < all_executions);
    REQUIRE(folder.files() == std::vector<std::string>{"state"});
    const json second = searched({"--time-budget", "0", "--checkpoint", file, "--jobs", "2"}, 0);
    CHECK(second.at("verdict") == "held");
    CHECK(second.at("executions") == all_executions);
    CHECK(second.at("outcomes") == json{{"12", all_executions}});
    CHECK(folder.files().empty());
}

TEST_CASE("a checkpoint with any one character changed is refused, and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    make_checkpoint(file);
    const std::string good = content(file);
    check_goes_on(ORDEAL_FIXTURE_BINARY, file);  // as it is, it is taken
    const std::size_t apart = std::max<std::size_t>(1, good.size() / 40);
    for (std::size_t at = 0; at < good.size(); at += apart) {
        CAPTURE(at);
        std::string damaged = good;
        damaged[at] = damaged[at] == '1' ? '2' : '1';
        if (damaged == good) continue;
        std::ofstream(file, std::ios::binary) << damaged;
        check_refused(ORDEAL_FIXTURE_BINARY, file, "checkpoint");
    }
    for (const std::string& text :
         {std::string(), std::string("something else\n"), good.substr(0, good.size() / 2), good + "\n", good + good}) {
        std::ofstream(file, std::ios::binary) << text;
        check_refused(ORDEAL_FIXTURE_BINARY, file, "checkpoint");
    }
}

TEST_CASE("a checkpoint of another search, or another way to search, is refused and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    make_checkpoint(file);
    check_refused(ORDEAL_FIXTURE_BINARY, file, "is of another search", {"--spurious", "1"});
    check_refused(ORDEAL_FIXTURE_BINARY, file, "is of another search", {"--search", "preemptions=2"});
    check_refused(ORDEAL_FIXTURE_BINARY, file, "needs a search of all executions", {"--search", "random=10"});
    check_refused(ORDEAL_FIXTURE_BINARY, file, "needs a search of all executions", {"--search", "pct=10"});
    const std::string before = content(file);
    const finished other = run_fixture({"check", "fixture/count_to_two", "--checkpoint", file});
    CHECK(other.code == 2);
    CHECK_THAT(other.err, Contains("is of another search"));
    CHECK(content(file) == before);
}

// A copy of the program stands for one that was built anew: in another place it is the same, with another constant or
// another beginning of a variable it is not, whatever the linker says of it.
TEST_CASE("a checkpoint of another build of the program is refused and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const std::string copy = folder.file("program");
    const std::string code = content(ORDEAL_FIXTURE_BINARY);
    make_checkpoint(file);
    write_program(copy, code);
    check_goes_on(copy, file);
    for (const char* text : {"a constant of the fixture", "a variable of the fixture"}) {
        CAPTURE(text);
        std::string changed = code;
        const std::size_t at = changed.find(text);
        REQUIRE(at != std::string::npos);
        changed[at] = 'A';
        write_program(copy, changed);
        check_refused(copy, file, "is of another build");
    }
}

// A trial is in a library of its own.
TEST_CASE("a checkpoint of another build of a trial is refused and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const std::string library = ORDEAL_PLAIN_TRIAL;
    const std::string copy = folder.file("libplain_trial.so");
    const auto search = [&] {
        const std::string line = "LD_LIBRARY_PATH='" + folder.file(".") +
                                 "' \"$0\" check plain/event/is_set_publishes --engine graph --time-budget 1e-9 "
                                 "--checkpoint '" +
                                 file + "'";
        return run("/bin/sh", {"-c", line, ORDEAL_BINARY});
    };
    const std::string code = content(library);
    write_program(copy, code);
    REQUIRE(search().code != 2);
    REQUIRE(search().code != 2);
    const std::string before = content(file);
    std::string changed = code;
    const std::size_t at = changed.find("is_set_publishes");
    REQUIRE(at != std::string::npos);
    const std::size_t unused = changed.find("resumes_newest_first");
    REQUIRE(unused != std::string::npos);
    changed[unused] = 'R';
    write_program(copy, changed);
    const finished refused = search();
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("is of another build"));
    CHECK(content(file) == before);
}

TEST_CASE("a program that is killed leaves a checkpoint, from which a search comes to the counts of one that was not") {
    for (const bool shared : {false, true}) {
        CAPTURE(shared);
        const temporary_folder folder;
        const std::string file = folder.file("state");
        const finished killed = run_fixture_in_shell("export ORDEAL_TEST_KILL=$$ ORDEAL_TEST_AFTER='" + file + "'" +
                                                     (shared ? " ORDEAL_TEST_SHARED=1" : "") +
                                                     "; exec \"$0\" check many/until_written --engine graph "
                                                     "--time-budget 0 --checkpoint-every 0 --checkpoint '" +
                                                     file + "' --jobs " + (shared ? "3" : "1"));
        CAPTURE(killed.out, killed.err);
        REQUIRE(killed.signal == SIGKILL);
        REQUIRE(std::filesystem::exists(file));
        const finished result = run_fixture({"check", "many/until_written", "--engine", "graph", "--time-budget", "0",
                                             "--checkpoint", file, "--json", "-"});
        CHECK(result.code == 0);
        const json entry = json::parse(result.out).at("scenarios").at(0);
        CHECK(entry.at("verdict") == "held");
        CHECK(entry.at("executions") == all_executions);
        CHECK(entry.at("outcomes") == json{{"12", all_executions}});
        // Of the file that it was about to write then, something may be left.
        CHECK_FALSE(std::filesystem::exists(file));
    }
}

TEST_CASE("a checkpoint that was made in another environment is refused where code on trial reads it") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const auto go_on = [&] {
        return run(ORDEAL_PROGRAMS_BINARY, {"check", "programs/getenv_by_both", "--engine", "graph", "--time-budget",
                                            "1e-9", "--checkpoint", file});
    };
    REQUIRE(go_on().code <= 1);
    REQUIRE(std::filesystem::exists(file));
    setenv("ORDEAL_TEST_NOT_READ", "1", 1);
    setenv("ORDEAL_TEST_START", "1", 1);
    const finished elsewhere = go_on();
    unsetenv("ORDEAL_TEST_START");
    CHECK(elsewhere.code == 2);
    CHECK_THAT(elsewhere.err,
               Contains("the variable ORDEAL_TEST_START of the environment, which the code on trial reads"));
    CHECK(go_on().code <= 1);
    unsetenv("ORDEAL_TEST_NOT_READ");
}

TEST_CASE("a checkpoint or a report for which there is no room says so, and leaves nothing half written") {
    const temporary_folder folder;
    // As on a full disk; through a pipe, for the output has the same limit.
    const auto limited = [&](const std::string& arguments) {
        return run_fixture_in_shell("(ulimit -f 1; \"$0\" check --quiet --engine graph " + arguments +
                                    "; echo code $?) 2>&1 | cat")
            .out;
    };
    const std::string kept = limited("many/twelve_increments --time-budget 0.3 --checkpoint-every 0.01 --checkpoint '" +
                                     folder.file("state") + "'");
    CHECK_THAT(kept, Contains("inconclusive: the checkpoint '") && Contains("cannot be written: File too large") &&
                         Contains("code 1\n"));
    const std::string reported = limited("fixture/count_to_two --json '" + folder.file("report") + "'");
    CHECK_THAT(reported,
               Contains("ordeal_cli_fixture: cannot write '" + folder.file("report") + "': File too large\n") &&
                   Contains("code 4\n"));
    CHECK(folder.files().empty());
}
