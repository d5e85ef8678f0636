// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"
#include "model_tests/litmus/litmus_document.hpp"
#include "model_tests/litmus/stale_depth.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace ordeal::model_tests {

namespace {

outcome_set found_by(const search_result& result) {
    if (result.verdict == verdict::violated) return {std::string(to_string(*result.kind))};
    outcome_set found;
    for (const auto& [outcome, count] : result.outcomes) found.insert(outcome);
    return found;
}

bool names_limit(const search_result& result, const std::string& part) {
    return std::ranges::any_of(result.limits,
                               [&](const std::string& limit) { return limit.find(part) != std::string::npos; });
}

void check_row(const litmus_row& row) {
    CAPTURE(row.what.name);
    const search_result result = search(row.what, full_search());
    CAPTURE(result.message, result.executions);
    CHECK(found_by(result) == row.engine);
    CHECK(result.complete == (result.verdict == verdict::held_within));
    CHECK(result.verdict != verdict::held);
    CHECK((row.engine == row.allowed) == row.why.empty());
    // An outcome that the standard forbids is a false alarm, and only a named one is known.
    const bool false_alarm = !std::ranges::includes(row.allowed, row.engine) && !row.allowed.contains("data race");
    CHECK(false_alarm == row.why.starts_with("False alarm"));
    if (!row.why.empty()) CHECK(names_limit(result, row.named));
}

void check_table(const litmus_table& table) {
    REQUIRE_FALSE(table.rows.empty());
    for (const litmus_row& row : table.rows) check_row(row);
}

}  // namespace

TEST_CASE("A data race is reported: the engine looks at all") {
    CHECK(search(registered("exhibit/control/data_race")).kind == violation_kind::data_race);
}

TEST_CASE("Message passing is ordered by release and acquire, and by nothing less") { check_table(message_passing()); }
TEST_CASE("Store buffering is ruled out by seq_cst alone") { check_table(store_buffering()); }
TEST_CASE("One atomic is coherent") { check_table(coherence()); }
TEST_CASE("The classical shapes have the outcomes of the memory model, but for named limits") {
    check_table(causality());
}
TEST_CASE("Read-modify-writes continue a release sequence") { check_table(release_sequences()); }
TEST_CASE("Fences order what stands on the right side of them") { check_table(fences()); }
TEST_CASE("The success and the failure order of a compare-exchange each have their own effect") {
    check_table(compare_exchange());
}
TEST_CASE("How stale a value can be is as the limits say") { check_table(engine_bounds()); }
TEST_CASE("Waiting blocks until notified, and a notification orders nothing") { check_table(waiting()); }
TEST_CASE("A mutex orders, and its misuse is reported") { check_table(locks()); }
TEST_CASE("Construction and destruction are writes") { check_table(lifetimes()); }
TEST_CASE("A frame changes hands by happens-before only") { check_table(frames()); }
TEST_CASE("Allocation failure, exceptions and numbers of threads work on every thread") { check_table(surroundings()); }

TEST_CASE("A random search sees loads two stores stale, and not three") {
    const search_options how = random_search(20'000, 1);
    const auto two = search(make_scenario<stale_by<2>::test>("two stores stale"), how);
    CHECK(two.outcomes.contains("1,0"));
    const auto three = search(make_scenario<stale_by<3>::test>("three stores stale"), how);
    CHECK(three.outcomes.contains("1,1"));
    CHECK_FALSE(three.outcomes.contains("1,0"));
    CHECK(names_limit(three, "at most two stores stale"));
}

TEST_CASE("An automatic search ends with what a full search finds") {
    for (const litmus_table& table : litmus_tables()) {
        for (const litmus_row& row : table.rows) {
            CAPTURE(row.what.name);
            CHECK(found_by(search(row.what)) == row.engine);
        }
    }
}

TEST_CASE("Litmus tests have names of their own") {
    for (const litmus_table& table : litmus_tables()) {
        std::set<std::string> names;
        for (const litmus_row& row : table.rows) CHECK(names.insert(row.what.name).second);
    }
}

TEST_CASE("docs/litmus.md says what the litmus tests say") {
    const std::string wanted = litmus_document();
    std::ifstream file(ORDEAL_SOURCE_ROOT "/docs/litmus.md", std::ios::binary);
    const std::string present{std::istreambuf_iterator<char>(file), {}};
    if (present != wanted) std::ofstream("litmus.md", std::ios::binary) << wanted;
    INFO("the text wanted was written to litmus.md in the current directory");
    CHECK((present == wanted));
}

}  // namespace ordeal::model_tests
