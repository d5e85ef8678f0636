// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using Catch::Matchers::Contains;

namespace ordeal::docs {

namespace {

// From the violation to the line that replays it.
lines evidence_for(const std::string& exhibit) {
    const lines printed = run_ordeal("check '" + exhibit + "' --trace --quiet");
    const auto begin = std::ranges::find(printed, exhibit);
    const auto end =
        std::find_if(begin, printed.end(), [](const std::string& line) { return line.starts_with("Searches:"); });
    lines result(begin, end);
    while (!result.empty() && result.back().empty()) result.pop_back();
    return result;
}

// In one line, so that it does not matter where it is broken.
std::string text_of(const std::string& exhibit) {
    std::string text;
    for (const std::string& line : evidence_for(exhibit)) {
        const auto begin = line.find_first_not_of(' ');
        if (begin != std::string::npos) text += line.substr(begin) + ' ';
    }
    return text;
}

}  // namespace

TEST_CASE("the evidence for each violated exhibit fits on a page, and begins with what is wrong") {
    std::size_t violated = 0;
    for (const auto& each : checked()) {
        const std::string name = each.at("name");
        if (each.at("verdict") != "violated" || !each.at("exhibit").get<bool>()) continue;
        ++violated;
        const lines evidence = evidence_for(name);
        CAPTURE(name, evidence);
        REQUIRE(evidence.size() > 4);
        CHECK(evidence.size() <= 30);
        CHECK_THAT(evidence[1], Contains("violated: " + each.at("kind").get<std::string>()));
        CHECK_THAT(evidence.back(), Contains(" replay '") && Contains(name));
    }
    CHECK(violated > 30);
}

TEST_CASE("a violation that sequential consistency has is shown without a stale read, each read after what it reads") {
    std::size_t shown = 0;
    for (const auto& each : checked()) {
        const auto& exists = each.at("exists_under");
        if (exists.is_null() || exists.at("strongest") != "sc") continue;
        ++shown;
        CAPTURE(each.at("name"));
        std::vector<std::uint32_t> before;
        for (const auto& step : each.at("trace")) {
            CHECK_FALSE(step.at("stale").get<bool>());
            if (step.at("reads_from").is_number() && step.at("operation") != "violation") {
                CHECK(std::ranges::find(before, step.at("reads_from").get<std::uint32_t>()) != before.end());
            }
            before.push_back(step.at("step").get<std::uint32_t>());
        }
    }
    CHECK(shown > 15);
}

TEST_CASE("the evidence for a race names both ends, and what the synchronisation between them lacks") {
    const std::string text = text_of("exhibit/promise_as_printed/complete_against_abandon");
    CHECK_THAT(text, Contains("a  owner  src/ordeal/coro/exhibits/state_words.hpp:") &&
                         Contains("coroutine  src/ordeal/coro/exhibits/printed_task.hpp:"));
    CHECK_THAT(text, Contains("promise.word_.state_"));
    CHECK_THAT(text, Contains("reads from a, but a is acquire, not acq_rel; if it were, a would"));
}

TEST_CASE("the evidence for three bugs of the kind that libraries have had says who did what to whose memory") {
    CHECK_THAT(text_of("exhibit/bug_two_notifiers/one_waiter"), Contains("by first notifier, is not ordered before") &&
                                                                    Contains("waiter.next_") &&
                                                                    Contains("by second notifier"));
    CHECK_THAT(text_of("exhibit/bug_touch_after_completion/complete"), Contains("operation<...>.completed_") &&
                                                                           Contains("by worker, comes before") &&
                                                                           Contains("resume frame of start()"));
    CHECK_THAT(text_of("exhibit/bug_relaxed_ready/set_against_take"),
               Contains("but the failure order of c is relaxed, not acquire; if it were"));
}

}  // namespace ordeal::docs
