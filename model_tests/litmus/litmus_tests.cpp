// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus_document.hpp"
#include "model_tests/litmus/programs.hpp"
#include "model_tests/litmus/stale_depth.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace ordeal::model_tests {

using namespace detail;

namespace {

outcome_set found_by(const litmus_row& row, const search_result& result) {
    if (result.verdict == verdict::violated) return {std::string(to_string(*result.kind))};
    outcome_set found;
    for (const auto& [outcome, count] : result.outcomes) {
        found.insert(row.text ? shortened(*row.text, outcome) : outcome);
    }
    return found;
}

void check_relacy(const litmus_row& row) {
    CAPTURE(row.what.name);
    const search_result result = search(scenario_of(row), full_search());
    CAPTURE(result.message, result.executions);
    CHECK(found_by(row, result) == row.relacy.outcomes);
    CHECK(result.complete == (result.verdict == verdict::held_within));
    CHECK(result.verdict != verdict::held);
    CHECK((row.relacy.outcomes == row.allowed) == row.relacy.why.empty());
    // An outcome that the standard forbids is a false alarm, and only one is known that is named or that RC11 allows too.
    const bool more = !std::ranges::includes(row.allowed, row.relacy.outcomes);
    const bool false_alarm = more && !row.allowed.contains("data race");
    CHECK(false_alarm == row.relacy.why.starts_with("False alarm"));
    if (false_alarm && row.relacy.named.empty()) {
        CHECK(std::ranges::includes(row.graph.outcomes, row.relacy.outcomes));
    }
    if (!row.relacy.why.empty()) CHECK(names_limit(result, row.relacy.named));
}

void check_graph(const litmus_row& row) {
    CAPTURE(row.what.name);
    search_options how = full_search();
    how.bounds.reuse = 9;  // as often as any row allocates: memory that comes back is bounded in tests of its own
    const search_result result = search(scenario_of(row), how, "graph");
    CAPTURE(result.message, result.executions, result.limits);
    CHECK(found_by(row, result) == row.graph.outcomes);
    const bool bounded = !row.graph.named.empty();
    if (result.verdict != verdict::violated) {
        CHECK(result.verdict == (bounded && !row.graph.held ? verdict::held_within : verdict::held));
        CHECK(result.complete);
        CHECK(leaves_out_of_rc11(result) == (bounded && !row.graph.held));
        CHECK_FALSE(has_limit(result, "load-buffering"));
    }
    if (bounded) CHECK(names_limit(result, row.graph.named));
    // Where it is not bounded, it finds what RC11 allows, and the row says which way that differs.
    const bool more = !std::ranges::includes(row.allowed, row.graph.outcomes);
    const bool less = !std::ranges::includes(row.graph.outcomes, row.allowed);
    CHECK(row.graph.why.starts_with("RC11 allows") == more);
    CHECK(row.graph.why.starts_with("RC11 forbids") == (less && !bounded));
    CHECK(row.graph.why.empty() == (!more && !less && !bounded));
}

// Exactly what C++20 allows, but for a named bound.
void check_letter(const litmus_row& row) {
    CAPTURE(row.what.name);
    search_options how = full_search();
    how.bounds.reuse = 9;
    how.model = memory_model::cpp20_letter;
    const search_result result = search(scenario_of(row), how, "graph");
    CAPTURE(result.message, result.executions, result.limits);
    CHECK(found_by(row, result) == (row.graph.named.empty() ? row.allowed : row.graph.outcomes));
}

void check_table(const litmus_table& table) {
    REQUIRE_FALSE(table.rows.empty());
    SECTION("Relacy") {
        for (const litmus_row& row : table.rows) check_relacy(row);
    }
    SECTION("graph") {
        for (const litmus_row& row : table.rows) check_graph(row);
    }
    SECTION("graph, by the letter") {
        for (const litmus_row& row : table.rows) check_letter(row);
    }
}

void check_automatic_search(std::string_view engine, const engine_column litmus_row::* column) {
    for (const litmus_table& table : litmus_tables()) {
        for (const litmus_row& row : table.rows) {
            CAPTURE(row.what.name);
            CHECK(found_by(row, search(scenario_of(row), {}, engine)) == (row.*column).outcomes);
        }
    }
}

}  // namespace

TEST_CASE("A data race is reported: the engine looks at all") {
    for (const auto* engine : {"relacy", "graph"}) {
        INFO(engine);
        CHECK(search(registered("exhibit/control/data_race"), {}, engine).kind == violation_kind::data_race);
    }
}

TEST_CASE("Message passing is ordered by release and acquire, and by nothing less") { check_table(message_passing()); }
TEST_CASE("Store buffering is ruled out by seq_cst alone") { check_table(store_buffering()); }
TEST_CASE("One atomic is coherent") { check_table(coherence()); }
TEST_CASE("Read-modify-writes are atomic") { check_table(atomicity()); }
TEST_CASE("The shapes of two threads have the outcomes of the memory model, but for named limits") {
    check_table(two_thread_shapes());
}
TEST_CASE("The shapes of three threads have the outcomes of the memory model, but for named limits") {
    check_table(three_thread_shapes());
}
TEST_CASE("The shapes of four threads have the outcomes of the memory model, but for named limits") {
    check_table(four_thread_shapes());
}
TEST_CASE("Java's causality test cases have their results, but where a store depends on the load that it precedes") {
    check_table(java_causality());
}
TEST_CASE("One weaker access undoes seq_cst, one that hands on does not") { check_table(seq_cst_mixtures()); }
TEST_CASE("seq_cst fences order each other and seq_cst accesses") { check_table(seq_cst_fences()); }
TEST_CASE("RC11's order of seq_cst operations is weaker than that of C++20") { check_table(seq_cst_through_weaker()); }
TEST_CASE("Read-modify-writes continue a release sequence") { check_table(release_sequences()); }
TEST_CASE("What continues a release sequence hands on what the release published") { check_table(release_chains()); }
TEST_CASE("Fences order what stands on the right side of them") { check_table(fences()); }
TEST_CASE("The success and the failure order of a compare-exchange each have their own effect") {
    check_table(compare_exchange());
}
TEST_CASE("A failing compare-exchange is a load, a successful one finds the newest value") {
    check_table(compare_exchange_shapes());
}
TEST_CASE("A weak compare-exchange fails spuriously as often as the limits say") { check_table(spurious_failures()); }
TEST_CASE("How stale a value can be is as the limits say") { check_table(staleness()); }
TEST_CASE("Waiting blocks until notified, and a notification orders nothing") { check_table(waiting()); }
TEST_CASE("A mutex orders, and its misuse is reported") { check_table(locks()); }
TEST_CASE("Construction and destruction are writes") { check_table(lifetimes()); }
TEST_CASE("A frame changes hands by happens-before only") { check_table(frames()); }
TEST_CASE("Allocation failure, exceptions and numbers of threads work on every thread") { check_table(surroundings()); }

TEST_CASE("A random search by Relacy sees loads two stores stale, and not three") {
    const search_options how = random_search(20'000, 1);
    const auto two = search(make_scenario<stale_by<2>::test>("two stores stale"), how);
    CHECK(two.outcomes.contains("1,0"));
    const auto three = search(make_scenario<stale_by<3>::test>("three stores stale"), how);
    CHECK(three.outcomes.contains("1,1"));
    CHECK_FALSE(three.outcomes.contains("1,0"));
    CHECK(names_limit(three, "at most two stores stale"));
}

TEST_CASE("An automatic search by Relacy ends with what a full search finds") {
    check_automatic_search("relacy", &litmus_row::relacy);
}
TEST_CASE("An automatic search by graph ends with what a full search finds") {
    check_automatic_search("graph", &litmus_row::graph);
}

TEST_CASE("Litmus tests have names of their own, and many are of the literature") {
    std::size_t programs = 0;
    for (const litmus_table& table : litmus_tables()) {
        std::set<std::string> names;
        for (const litmus_row& row : table.rows) {
            CHECK(names.insert(row.what.name).second);
            programs += row.text.has_value() ? 1 : 0;
        }
    }
    CHECK(programs >= 60);
}

TEST_CASE("reference-data/litmus.md says what the litmus tests say") {
    const std::string wanted = litmus_document();
    std::ifstream file(ORDEAL_SOURCE_ROOT "/reference-data/litmus.md", std::ios::binary);
    const std::string present{std::istreambuf_iterator<char>(file), {}};
    if (present != wanted) std::ofstream("litmus.md", std::ios::binary) << wanted;
    INFO("the text wanted was written to litmus.md in the current directory");
    CHECK((present == wanted));
}

}  // namespace ordeal::model_tests
