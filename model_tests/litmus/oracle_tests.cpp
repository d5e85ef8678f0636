// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables' expectations against a count made without any engine.
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/promising.hpp"
#include "model_tests/litmus/programs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace ordeal::model_tests {

TEST_CASE("What the tables say RC11 allows is what the brute-force oracle counts") {
    std::size_t compared = 0;
    std::size_t buffering = 0;
    for (const litmus_table& table : litmus_tables()) {
        for (const litmus_row& row : table.rows) {
            if (!row.text) continue;
            INFO(row.what.name << "\n" << rc11::to_string(*row.text));
            const auto counted = rc11::count_executions(*row.text, {.prune = true});
            REQUIRE(counted);
            outcome_set outcomes;
            for (const auto& [outcome, executions] : counted->outcomes) outcomes.insert(shortened(*row.text, outcome));
            ++compared;
            if (outcomes == row.graph.outcomes) continue;
            // What is more needs load buffering.
            CHECK(std::ranges::includes(row.graph.outcomes, outcomes));
            const auto promising = rc11::promising_outcomes(*row.text, {.limit = 3'000'000});
            REQUIRE(promising);
            outcome_set with_promises;
            for (const std::string& outcome : *promising) with_promises.insert(shortened(*row.text, outcome));
            CHECK(with_promises == row.graph.outcomes);
            ++buffering;
        }
    }
    CHECK(compared >= 60);
    CHECK(buffering >= 5);
}

}  // namespace ordeal::model_tests
