// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the code on trial prints.

#include "program.hpp"

#include <catch2/catch.hpp>

using namespace ordeal::test;
using Catch::Matchers::Contains;

TEST_CASE("what the code on trial prints is dropped, unless it is asked for, and then it is no part of a report") {
    const char* const one = "thread 0 on standard output";
    const char* const other = "thread 1 on standard error";
    const finished silent = run_fixture({"check", "print/by_each_thread", "--quiet"});
    REQUIRE(silent.code == 1);
    CHECK(silent.err.empty());
    CHECK_THAT(silent.out, !Contains(one) && !Contains(other));
    constexpr const char* dropped = "1 scenario printed something, which was dropped; --show-output shows it.";
    CHECK_THAT(silent.out, Contains(dropped));
    CHECK_THAT(run_fixture({"check", "fixture/count_to_two"}).out, !Contains("printed something"));
    const finished shown = run_fixture({"check", "print/by_each_thread", "--quiet", "--show-output"});
    CHECK(shown.code == 1);
    CHECK_THAT(shown.err, Contains(one) && Contains(other));
    CHECK_THAT(shown.out, !Contains(one) && !Contains(other) && !Contains(dropped));
    const std::string token = token_in(silent.out);
    const finished again = run_fixture({"replay", token, "--show-output"});
    CHECK(again.code == 1);
    CHECK_THAT(again.err, Contains(one) && Contains(other));
    CHECK(again.err.find(one) ==
          again.err.rfind(one));  // it is run again under other memory models, which nobody asked to see
    CHECK(run_fixture({"replay", token}).err.empty());
}

TEST_CASE("what real threads print is dropped, unless it is asked for") {
    const std::vector<std::string> command{"stress", "print/by_each_thread", "--samples", "1", "--seed", "1",
                                           "--quiet"};
    CHECK(run_fixture(command).err.empty());
    std::vector<std::string> asked = command;
    asked.emplace_back("--show-output");
    CHECK_THAT(run_fixture(asked).err, Contains("thread 0 on standard output"));
}
