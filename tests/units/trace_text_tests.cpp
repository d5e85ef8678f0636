// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/trace_text.hpp"
#include "ordeal/report/value_names.hpp"

#include <catch2/catch.hpp>

#include <sstream>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

scenario with_threads(std::vector<std::string> names) {
    scenario result;
    result.name = "a/b";
    result.threads = std::move(names);
    return result;
}

trace_step step(int thread, std::string operation, std::string object) {
    trace_step result;
    result.thread = thread;
    result.operation = std::move(operation);
    result.object = std::move(object);
    return result;
}

search_result example() {
    search_result result;
    result.trace = {step(-1, "construct", "atomic 1"), step(0, "store", "atomic 1"), step(1, "load", "atomic 1"),
                    step(1, "load", "atomic 1")};
    for (std::uint32_t i = 0; i < 4; ++i) result.trace[i].index = i;
    result.trace[0].after = 0;
    result.trace[1].using_order = order::release;
    result.trace[1].after = 0x7fff12345678;
    result.trace[2].using_order = order::relaxed;
    result.trace[2].overridden = true;
    result.trace[2].before = 0;
    result.trace[2].reads_from = 0;
    result.trace[2].stale = true;
    result.trace[3].before = 0x7fff12345678;
    result.trace[3].where.key = {"no/such/file.hpp", 12, 3, role::load};
    return result;
}

std::string whole_trace(const scenario& what, const search_result& result) {
    explanation none;
    none.letters.resize(result.trace.size());
    return trace_text(what, result, none, text_style(), trace_detail::all);
}

}  // namespace

TEST_CASE("a trace has a column for each thread, and time runs downward") {
    const std::string text = whole_trace(with_threads({"producer", "consumer"}), example());
    std::istringstream lines(text);
    std::vector<std::string> got;
    for (std::string line; std::getline(lines, line);) got.push_back(line);
    REQUIRE(got.size() == 8);
    CHECK(got[0] == " step | producer                  | consumer");
    CHECK(got[2] == "    0 | (before) construct atomic 1 = 0");
    CHECK(got[3] == "    1 | store release atomic 1 = ptr1");
    CHECK(got[4] == "    2 |                           | load relaxed* atomic 1, reads initial: 0, stale");
    CHECK(got[5] == "    3 |                           | load atomic 1: ptr1");
    CHECK(got[6] == "      |                           |   no/such/file.hpp:12");
    CHECK_THAT(got[7], Contains("* order replaced"));
}

TEST_CASE("threads that the code on trial created have columns after those of the scenario") {
    search_result result = example();
    result.trace[2].thread = 2;
    const std::string text = whole_trace(with_threads({"main"}), result);
    std::istringstream lines(text);
    std::vector<std::string> got;
    for (std::string line; std::getline(lines, line);) got.push_back(line);
    REQUIRE(got.size() > 4);
    CHECK(got[0] == " step | main                      | thread 2                  | thread 3");
    CHECK_THAT(got[4], Contains("|                           |                           | load relaxed*"));
}

TEST_CASE("where there are too many threads for a column each, those have one whose steps are shown") {
    std::vector<std::string> names;
    for (int i = 1; i <= 31; ++i) names.push_back("t" + std::to_string(i));
    search_result result = example();
    result.trace[1].thread = 4;
    result.trace[2].thread = 30;
    explanation why;
    why.letters = {"", "a", "b", ""};
    const std::string causes = trace_text(with_threads(names), result, why, text_style(), trace_detail::causes);
    CHECK_THAT(causes, Contains(" step | t5                        | t31\n"));
    CHECK_THAT(causes, Contains("\n    a | store release"));
    CHECK_THAT(causes, Contains("\n    b |                           | load relaxed*"));

    result.trace.assign(31, step(0, "load", "atomic 1"));
    for (int i = 0; i < 31; ++i) {
        result.trace[static_cast<std::size_t>(i)].thread = i;
        result.trace[static_cast<std::size_t>(i)].index = static_cast<std::uint32_t>(i);
    }
    const std::string all = whole_trace(with_threads(names), result);
    CHECK_THAT(all, Contains(" step | all threads\n"));
    CHECK_THAT(all, Contains("\n    0 | t1: load atomic 1\n"));
    CHECK_THAT(all, Contains("\n   30 | t31: load atomic 1\n"));
}

TEST_CASE("lines of a trace stay within the width of a report, for every number of threads") {
    std::vector<std::string> names{"first"};
    for (int threads = 2; threads <= 31; ++threads) {
        names.push_back("a thread with quite a long name " + std::to_string(threads));
        search_result result = example();
        result.trace[1].thread = threads - 1;
        result.trace[1].note = "a note that takes so many words that it has to go over more than one line of a report";
        std::istringstream lines(whole_trace(with_threads(names), result));
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            CHECK(line.size() <= report_width);
        }
    }
}

TEST_CASE("addresses get names in the order of appearance, numbers stay") {
    value_names names;
    CHECK(names.of(7) == "7");
    CHECK(names.of(0xffffffff) == "4294967295");
    CHECK(names.of(~std::uint64_t{0}) == "-1");
    CHECK(names.of(0x7f0000000010) == "ptr1");
    CHECK(names.of(0x7f0000000020) == "ptr2");
    CHECK(names.of(0x7f0000000010) == "ptr1");
}

TEST_CASE("a value of 16 bytes has both halves in a trace, in order") {
    search_result result = example();
    result.trace[1].second_after = 3;
    result.trace[3].second_before = 0x7fff12345679;
    const std::string text = whole_trace(with_threads({"producer", "consumer"}), result);
    CHECK_THAT(text, Contains("store release atomic 1 = {ptr1, 3}"));
    CHECK_THAT(text, Contains("load atomic 1: {ptr1, ptr2}"));
}

TEST_CASE("a violation says by which calls it came to be there, a recursion in one line") {
    search_result result;
    result.trace = {step(0, "violation", "")};
    result.trace[0].where.key = {"no/such/file.hpp", 12, 3, role::load};
    const call_frame recursive{"sum_to", "no/such/file.hpp", 20};
    result.trace[0].calls = {recursive, recursive, recursive, {"run", "no/such/file.hpp", 30}};
    const std::string text = whole_trace(with_threads({"adds"}), result);
    CHECK_THAT(text, Contains("called in sum_to, no/such/file.hpp:20, 3 times\n"));
    CHECK_THAT(text, Contains("called in run, no/such/file.hpp:30\n"));
}

TEST_CASE("control characters in a trace are written out, and what is no such character is left as it is") {
    search_result result = example();
    result.trace[3].note =
        "\033]0;title\a and a line\n, \xc2\x9b"
        "31m, \xc3\xa4";
    const std::string text = whole_trace(with_threads({"pro\033[1mducer", "consumer"}), result);
    CHECK_THAT(text, Contains("pro\\x1b[1mducer"));
    CHECK_THAT(text, Contains("\\x1b]0;title\\x07 and a line\\n, \\x9b31m, \xc3\xa4"));
    CHECK_THAT(text, !Contains("\033"));
}

TEST_CASE(
    "of a trace that is explained, only the steps with letters are shown, each in one line, and the rest is counted") {
    explanation why;
    why.letters = {"", "a", "b", ""};
    search_result result = example();
    result.trace[2].reads_from = 1;
    const std::string text =
        trace_text(with_threads({"producer", "consumer"}), result, why, text_style(), trace_detail::causes);
    CHECK_THAT(text, Contains("    a | store release atomic 1 = ptr1\n"));
    CHECK_THAT(text, Contains("    b |                           | load relaxed* atomic 1, reads a: 0, stale\n"));
    CHECK_THAT(text, Contains("2 more steps folded; --all-steps shows every one"));
    CHECK_THAT(text, !Contains("construct"));
}
