// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Files that a later run goes on from: what is no such file, and two runs that want the same one.

#include "program.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

using arguments = std::vector<std::string>;

// A checkpoint, and a soak: commands that would run for long.
std::vector<arguments> long_runs(const std::string& file) {
    return {{"check", "long/endless_search", "--engine", "graph", "--time-budget", "0", "--checkpoint", file},
            {"stress", "fixture/count_to_two", "--seed", "1", "--soak", file}};
}

// The same, over at once.
std::vector<arguments> short_runs(const std::string& file) {
    return {{"check", "long/endless_search", "--engine", "graph", "--time-budget", "1e-9", "--checkpoint", file},
            {"stress", "fixture/count_to_two", "--seed", "1", "--samples", "1", "--seconds", "1e-9", "--soak", file}};
}

// A search has begun: the file is locked by then.
void wait_for_child(const program& watched) {
    for (int i = 0; i < 3000 && !watched.has_children(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(watched.has_children());
}

void check_refused(const arguments& command, const std::string& says) {
    const finished result = run_fixture(command);
    CAPTURE(command, result.err);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(says));
}

}  // namespace

TEST_CASE("a second run on one file is told which process uses it, and one that was killed is not in the way") {
    for (const std::size_t kind : {0U, 1U}) {
        const temporary_folder folder;
        const std::string file = folder.file("state");
        const std::string link = folder.file("link");
        REQUIRE(symlink("state", link.c_str()) == 0);
        program first(ORDEAL_FIXTURE_BINARY, long_runs(file)[kind]);
        wait_for_child(first);
        const std::string says = "is in use by process " + std::to_string(first.id());
        check_refused(short_runs(file)[kind], "'" + file + "' " + says);
        check_refused(short_runs(link)[kind], "'" + link + "' " + says);
        first.send(SIGKILL);
        CHECK(first.wait().signal == SIGKILL);
        const finished third = run_fixture(short_runs(file)[kind]);
        CAPTURE(third.out, third.err);
        CHECK(third.code != 2);  // it had no time to show anything, and went on from nothing
        CHECK(std::filesystem::is_regular_file(file));
        CHECK_FALSE(std::filesystem::exists(file + ".lock"));
    }
}

TEST_CASE("the file of a soak with a digit changed is refused, and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const arguments command = short_runs(file)[1];
    REQUIRE(run_fixture(command).code != 2);
    const std::string good = content(file);
    std::size_t digits = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        if (good[at] < '0' || good[at] > '9' || ++digits % 4 != 0) continue;
        std::string damaged = good;
        damaged[at] = good[at] == '1' ? '2' : '1';
        std::ofstream(file, std::ios::binary) << damaged;
        check_refused(command, "cannot continue from '" + file + "'");
        CHECK(content(file) == damaged);
    }
    CHECK(digits > 20);
    std::ofstream(file, std::ios::binary) << good;
    CHECK(run_fixture(command).code != 2);
}

TEST_CASE("a file of another's that has the name of the lock is not touched") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    std::ofstream(file + ".lock") << "mine";
    for (const arguments& command : short_runs(file)) check_refused(command, "cannot lock '" + file + ".lock'");
    CHECK(content(file + ".lock") == "mine");
    CHECK(folder.files() == std::vector<std::string>{"state.lock"});
}

TEST_CASE("a pipe, a device, a folder or standard output keeps no state, and nobody waits for it") {
    const temporary_folder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::size_t kind : {0U, 1U}) {
        for (const std::string& file : {pipe, std::string("/dev/full"), std::string("/dev/null")}) {
            check_refused(long_runs(file)[kind], "cannot write '" + file + "': it is not a regular file");
        }
        check_refused(long_runs(folder.file(""))[kind], "Is a directory");
        check_refused(long_runs("-")[kind], "it needs a file of its own: '-'");
        check_refused(long_runs("")[kind], "it needs a file of its own: ''");
    }
    CHECK(folder.files() == std::vector<std::string>{"pipe"});
}

TEST_CASE("a file that two options mean is refused, whatever the paths to it") {
    const temporary_folder folder;
    const std::string file = folder.file("one");
    REQUIRE(symlink("one", folder.file("two").c_str()) == 0);
    for (const std::string& other : {file, folder.file("./one"), folder.file("two")}) {
        check_refused({"check", "fixture/count_to_two", "--json", file, "--sarif", other},
                      "two reports cannot go into");
        check_refused({"check", "fixture/count_to_two", "--json", file, "--checkpoint", other},
                      "a report and a checkpoint cannot go into one file");
        check_refused({"stress", "fixture/count_to_two", "--json", file, "--soak", other},
                      "a report and a soak cannot go into one file");
    }
    CHECK(folder.files() == std::vector<std::string>{"two"});
}

TEST_CASE("a report cannot go where standard output goes, by another name") {
    const temporary_folder folder;
    const std::string file = folder.file("out");
    for (const std::string& words : {"--json '" + file + "' >'" + file + "'", std::string("--sarif /dev/stdout | cat"),
                                     std::string("--json /dev/stdout --sarif - | cat")}) {
        const finished result = run_fixture_in_shell("\"$0\" check fixture/count_to_two " + words);
        CAPTURE(words, result.out);
        CHECK_THAT(result.err, Contains("standard output goes there; give - for the file"));
        CHECK(result.out.empty());
    }
    CHECK(content(file).empty());
}

TEST_CASE("a report that the system lets grow no further is said, and leaves nothing half written") {
    const temporary_folder folder;
    const std::string file = folder.file("out.json");
    const finished result = run_fixture_in_shell("(ulimit -f 0; \"$0\" check fixture/count_to_two --json '" + file +
                                                 "' 2>&1 >/dev/null; echo \"code $?\") | cat");
    CHECK_THAT(result.out, Contains("cannot write '" + file + "': File too large") && Contains("code 4"));
    CHECK(folder.files().empty());
}
