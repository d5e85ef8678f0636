// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/suite/test_listing.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace ordeal::detail;
using names = std::vector<std::string>;

namespace {

names listed(std::string_view framework, std::string_view output) {
    return words_of_framework(framework)->names(output);
}
std::string selected(std::string_view framework, std::string_view name) {
    return words_of_framework(framework)->select(name).front();
}

}  // namespace

TEST_CASE("the listing of GoogleTest has instances with their parameters behind them, and disabled tests") {
    CHECK(listed("googletest",
                 "Running main() from gtest_main.cc\n"
                 "Account.\n  KeepsAll\n  DISABLED_NotThis\n"
                 "DISABLED_Suite.\n  NorThis\n"
                 "Some/DISABLED_Suite.\n  NorThat/0  # GetParam() = 1\n"
                 "Typed/0.  # TypeParam = int\n  Counts\n"
                 "Some/Amounts.\n  AreKept/0  # GetParam() = \"a  # b\"\n") ==
          names{"Account.KeepsAll", "Typed/0.Counts", "Some/Amounts.AreKept/0"});
    CHECK(selected("googletest", "Some/Amounts.AreKept/0") == "--gtest_filter=Some/Amounts.AreKept/0");
}

TEST_CASE("the listing of Catch2 has a name on each line, and an option that it does not know lists nothing") {
    CHECK(listed("catch2", "keeps all, [it] says\n\"#hashed\"\n\n~tilde\n") ==
          names{"keeps all, [it] says", "#hashed", "~tilde"});
    CHECK(listed("catch2", "Error(s) in input:\n  Unrecognised token: --list-test-names-only\n").empty());
    CHECK(selected("catch2", "keeps all, [it] \"says\"") == R"(keeps all\, \[it\] \"says\")");
    CHECK(selected("catch2", "~tilde") == "\\~tilde");
    CHECK(selected("catch2", "-option") == "\\-option");
}

TEST_CASE("the listing of doctest stands between two rules") {
    CHECK(listed("doctest",
                 "[doctest] listing all test case names\n"
                 "==================\nkeeps all, it says\nof types<int>\n==================\n"
                 "[doctest] unskipped test cases passing the current filters: 2\n") ==
          names{"keeps all, it says", "of types<int>"});
    CHECK(listed("doctest", "==================\ncut\n").empty());
    CHECK(selected("doctest", "a, b\\c") == "--test-case=a\\, b\\\\c");
}

TEST_CASE("the listing of Boost.Test is a tree, of which the enabled leaves are tests") {
    CHECK(listed("boost",
                 "keeps_all*\nwrong*\n    race*: a description\n    inner*\n        deep*\nleft_out\n"
                 "amounts*\n    _0*\n    _1*\n") ==
          names{"keeps_all", "wrong/race", "wrong/inner/deep", "amounts/_0", "amounts/_1"});
    CHECK(listed("boost", "  no tree\n").empty());
    CHECK(selected("boost", "wrong/race") == "--run_test=wrong/race");
}

TEST_CASE("a program without a framework has no words") {
    CHECK(words_of_framework("plain") == nullptr);
    CHECK(words_of_framework("cppunit") == nullptr);
}
