// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Standard input, output and error that are closed or full, and report files that are pipes.

#include "program.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <csignal>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("standard error that cannot be written changes no exit code") {
    for (const char* redirection : {"2>&-", "2>/dev/full"}) {
        CAPTURE(redirection);
        const std::string end = std::string(" ") + redirection;
        CHECK(run_fixture_in_shell("\"$0\" check no/such/scenario" + end).code == 2);
        CHECK(run_fixture_in_shell("\"$0\" check fixture/count_to_two --engine oracle" + end).code == 3);
        CHECK(run_fixture_in_shell("\"$0\" no_command" + end).code == 2);
        const finished good = run_fixture_in_shell("\"$0\" check fixture/count_to_two" + end);
        CHECK(good.code == 0);
        CHECK_THAT(good.out, Contains("All as expected."));
    }
}

TEST_CASE("standard output that cannot be written is exit code 4, and the report file is written all the same") {
    for (const char* redirection : {">&-", ">/dev/full", "0<&- >&-"}) {
        CAPTURE(redirection);
        const temporary_folder folder;
        const std::string file = folder.file("out.json");
        const finished result =
            run_fixture_in_shell("\"$0\" check fixture/count_to_two --json '" + file + "' " + redirection);
        CHECK(result.code == 4);
        CHECK_THAT(result.err, Contains("cannot write standard output"));
        CHECK(json::parse(content(file)).at("scenarios").at(0).at("verdict") == "held");
    }
    for (const char* words : {"--help", "check --help", "--version", "list", "check fixture/count_to_two --json -"}) {
        CAPTURE(words);
        const finished result = run_fixture_in_shell(std::string("\"$0\" ") + words + " >/dev/full");
        CHECK(result.code == 4);
        CHECK_THAT(result.err, Contains("cannot write standard output"));
    }
}

TEST_CASE("with all three standard files closed the searches still report") {
    const temporary_folder folder;
    const std::string file = folder.file("out.json");
    CHECK(run_fixture_in_shell("\"$0\" check fixture --json '" + file + "' 0<&- >&- 2>&-").code == 4);
    const json report = json::parse(content(file));
    for (const json& entry : report.at("scenarios")) {
        CAPTURE(entry.at("name"));
        CHECK((entry.at("verdict") != "inconclusive" || entry.at("name") == "fixture/nine_threads"));
        CHECK(entry.at("kind") != "crash");
    }
    CHECK(report.at("scenarios").size() > 3);
}

TEST_CASE("a report file that is a pipe is written to its reader, and without one it fails at once") {
    const temporary_folder folder;
    const std::string fifo = folder.file("pipe");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const finished alone = run_fixture({"check", "fixture/count_to_two", "--json", fifo});
    CHECK(alone.code == 4);
    CHECK_THAT(alone.err, Contains("cannot write '" + fifo + "': nobody reads from it"));
    CHECK_THAT(alone.out, Contains("All as expected."));

    const finished read = run_fixture_in_shell("exec 3<>'" + fifo + "'; \"$0\" list --json '" + fifo +
                                               "' >/dev/null; code=$?; dd bs=64k count=1 <&3 2>/dev/null; exit $code");
    CHECK(read.code == 0);
    CHECK(json::parse(read.out).at("scenarios").size() > 3);
}

TEST_CASE("a reader of standard output that does not read does not keep the program from being ended") {
    const temporary_folder folder;
    const std::string fifo = folder.file("full");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const finished result = run_fixture_in_shell("exec 3<>'" + fifo + "'; dd if=/dev/zero of='" + fifo +
                                                 "' bs=64k count=1 2>/dev/null\n"
                                                 "\"$0\" list >&3 & p=$!\n"
                                                 "sleep 1; kill -TERM $p; sleep 1; kill -KILL $p; wait $p");
    CHECK(result.code == 128 + SIGTERM);
}
