// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables' expectations against a count made without any engine.
#include "model_tests/graph/oracle.hpp"
#include "model_tests/litmus/programs.hpp"

#include <catch2/catch.hpp>

namespace ordeal::model_tests {

TEST_CASE("What the tables say RC11 allows is what the brute-force oracle counts") {
    std::size_t compared = 0;
    for (const litmus_table& table : litmus_tables()) {
        for (const litmus_row& row : table.rows) {
            if (!row.text) continue;
            INFO(row.what.name << "\n" << rc11::to_string(*row.text));
            const auto counted = rc11::count_executions(*row.text, {.prune = true});
            REQUIRE(counted);
            outcome_set outcomes;
            for (const auto& [outcome, executions] : counted->outcomes) outcomes.insert(shortened(*row.text, outcome));
            CHECK(outcomes == row.graph.outcomes);
            ++compared;
        }
    }
    CHECK(compared >= 60);
}

}  // namespace ordeal::model_tests
