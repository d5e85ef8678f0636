// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every scenario and exhibit of this program gets the verdict it is registered with.
#include "model_tests/support/search.hpp"

#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

namespace ordeal::model_tests {

namespace {

void check_verdicts(const std::vector<const scenario*>& chosen) {
    REQUIRE_FALSE(chosen.empty());
    search_options how;
    how.seconds = 1;
    const std::vector<search_result> results = search_each(chosen, how);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        INFO(chosen[i]->name << ": " << words(results[i]) << " instead of " << words(chosen[i]->expected) << ". "
                             << results[i].message);
        CHECK(as_expected(chosen[i]->expected, results[i]));
        CHECK(results[i].verdict != verdict::held);
        CHECK((results[i].verdict != verdict::held_within || !results[i].limits.empty()));
        CHECK((results[i].verdict != verdict::violated || results[i].replay.has_value()));
    }
}

std::vector<const scenario*> chosen_by(bool (*wanted)(const scenario&)) {
    std::vector<const scenario*> result;
    for (const scenario& each : scenarios()) {
        if (wanted(each)) result.push_back(&each);
    }
    return result;
}

bool is_control(const scenario& what) { return what.name.starts_with("exhibit/control/"); }

}  // namespace

// The positive controls: a silent engine fails here.
TEST_CASE("Every kind of violation that a scenario can bring about is reported") {
    const auto controls = chosen_by(is_control);
    check_verdicts(controls);
    for (const auto kind :
         {violation_kind::data_race, violation_kind::unsynchronised_destruction, violation_kind::use_after_free,
          violation_kind::double_free, violation_kind::frame_misuse, violation_kind::leak,
          violation_kind::failed_requirement, violation_kind::deadlock, violation_kind::livelock,
          violation_kind::uninitialised_read, violation_kind::uncaught_exception}) {
        INFO(to_string(kind));
        CHECK(std::ranges::any_of(controls, [&](const scenario* each) { return each->expected.violation == kind; }));
    }
}

TEST_CASE("The production code holds in every scenario") {
    check_verdicts(chosen_by([](const scenario& each) { return !each.exhibit; }));
}

TEST_CASE("Every exhibit gets its verdict and its kind of violation") {
    check_verdicts(chosen_by([](const scenario& each) { return each.exhibit && !is_control(each); }));
}

}  // namespace ordeal::model_tests
