// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts under data/tsan/ are recorded reports, their stacks shortened below the scenario.
#include "ordeal/report/tsan_report.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

using namespace ordeal;
using namespace ordeal::detail;

namespace {

std::string content(const std::string& path) {
    std::ifstream in(std::string(ORDEAL_SOURCE_ROOT "/") + path);
    REQUIRE(in);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

tsan_report recorded(const std::string& name) {
    const auto reports = parse_tsan_reports(content("tests/units/data/tsan/" + name + ".txt"));
    REQUIRE(reports.size() == 1);
    return reports.front();
}

std::string place(const tsan_access& access) {
    const tsan_frame* const frame = frame_on_trial(access);
    return frame == nullptr ? "nowhere" : frame->file + ":" + std::to_string(frame->line);
}

}  // namespace

TEST_CASE("a report of a data race has both accesses, the later first") {
    const tsan_report report = recorded("data_race");
    CHECK(report.title == "data race");
    CHECK(report.kind == violation_kind::data_race);
    REQUIRE(report.accesses.size() == 2);
    CHECK(report.accesses[0].operation == "read");
    CHECK(report.accesses[0].thread == "T2");
    CHECK(place(report.accesses[0]) == "src/ordeal/coro/exhibits/relaxed_flag.cpp:59");
    CHECK(frame_on_trial(report.accesses[0])->column == 24);
    CHECK(report.accesses[1].operation == "write");
    CHECK(report.accesses[1].thread == "T1");
    CHECK(place(report.accesses[1]) == "src/ordeal/coro/exhibits/relaxed_flag.cpp:51");
    CHECK(report.accesses[1].frames.front().function == "run");
}

TEST_CASE("a race with free is an unsynchronised destruction") {
    const tsan_report report = recorded("unsynchronised_destruction");
    CHECK(report.title == "data race");
    CHECK(report.kind == violation_kind::unsynchronised_destruction);
    REQUIRE(report.accesses.size() == 2);
    CHECK(report.accesses[0].operation == "free");
    CHECK(place(report.accesses[0]) == "src/ordeal/coro/exhibits/task_scenarios.hpp:25");
    CHECK(report.accesses[1].operation == "atomic write");
    CHECK(place(report.accesses[1]) == "src/ordeal/coro/exhibits/state_words.hpp:71");
}

TEST_CASE("an access to freed memory is a use after free") {
    const tsan_report report = recorded("use_after_free");
    CHECK(report.kind == violation_kind::use_after_free);
    REQUIRE(report.accesses.size() == 2);
    CHECK(place(report.accesses[0]) == "src/ordeal/coro/exhibits/control_misuse.cpp:35");
    CHECK(report.accesses[1].operation == "free");
    CHECK(place(report.accesses[1]) == "src/ordeal/coro/exhibits/control_misuse.cpp:34");
}

TEST_CASE("locks taken in opposite order are a deadlock, each lock an access") {
    const tsan_report report = recorded("lock_order");
    CHECK(report.title == "lock-order-inversion (potential deadlock)");
    CHECK(report.kind == violation_kind::deadlock);
    REQUIRE(report.accesses.size() == 2);
    for (const tsan_access& each : report.accesses) {
        CHECK(each.operation == "lock");
        CHECK(place(each) == "src/ordeal/coro/exhibits/control_races.cpp:82");
    }
    CHECK(report.accesses[0].thread != report.accesses[1].thread);
}

TEST_CASE("a report becomes a violation with a step for each access and the comment of its site") {
    // Where the recorded site is now: the file has been edited since.
    std::istringstream source(content("src/ordeal/coro/exhibits/state_words.hpp"));
    unsigned now = 0;
    unsigned line = 0;
    for (std::string text; std::getline(source, text);) {
        ++line;
        if (text.find("this->abandoned, std::memory_order_acquire)") != std::string::npos) now = line;
    }
    REQUIRE(now != 0);
    std::string text = content("tests/units/data/tsan/unsynchronised_destruction.txt");
    const std::string before = "state_words.hpp:71:";
    REQUIRE(text.find(before) != std::string::npos);
    text.replace(text.find(before), before.size(), "state_words.hpp:" + std::to_string(now) + ":");

    const search_result result = to_search_result(parse_tsan_reports(text).front());
    CHECK(result.verdict == verdict::violated);
    CHECK(result.kind == violation_kind::unsynchronised_destruction);
    REQUIRE(result.trace.size() == 2);
    CHECK(result.trace[0].operation == "atomic write");
    CHECK(result.trace[0].where.key.line == now);
    CHECK(result.trace[0].where.function == "abandon");
    CHECK(result.trace[0].note.starts_with("acquire <- complete"));
    CHECK(result.trace[1].operation == "free");
    CHECK(result.trace[1].note.empty());
    CHECK(result.message.find("state_words.hpp:" + std::to_string(now)) != std::string::npos);
}

TEST_CASE("several reports among other output are all found, and other output is none") {
    const std::string race = content("tests/units/data/tsan/data_race.txt");
    const std::string freed = content("tests/units/data/tsan/use_after_free.txt");
    const auto reports =
        parse_tsan_reports("hello\n" + race + "more\n" + freed + "ThreadSanitizer: reported 2 warnings\n");
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].kind == violation_kind::data_race);
    CHECK(reports[1].kind == violation_kind::use_after_free);
    CHECK(parse_tsan_reports("").empty());
    CHECK(parse_tsan_reports("no report\n#0 main a.cpp:1:1 (a+0x1)\n").empty());
}

TEST_CASE("a report that is cut short is still a report, without what is missing") {
    const std::string race = content("tests/units/data/tsan/data_race.txt");
    const auto reports = parse_tsan_reports(std::string_view(race).substr(0, race.find("  Previous")));
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].accesses.size() == 1);
    for (std::size_t length = 0; length < race.size(); length += 11) {
        CHECK(parse_tsan_reports(std::string_view(race).substr(0, length)).size() <= 1);
    }
}

TEST_CASE("a kind that we have no word for is left open, and is no success") {
    const auto reports = parse_tsan_reports("WARNING: ThreadSanitizer: thread leak (pid=1)\n  Thread T1\nSUMMARY: x\n");
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].title == "thread leak");
    CHECK_FALSE(reports[0].kind);
    CHECK(to_search_result(reports[0]).verdict == verdict::inconclusive);
}
