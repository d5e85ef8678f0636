// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

#include <catch2/catch.hpp>

namespace ordeal::model_tests {

std::vector<litmus_table> litmus_tables() { return {message_passing(), store_buffering(), compare_exchange()}; }

namespace {
outcome_set found(const search_result& r) {
    if (r.verdict == verdict::violated) return {std::string(to_string(*r.kind))};
    outcome_set s;
    for (auto& [o, n] : r.outcomes) s.insert(o);
    return s;
}
std::string text(const outcome_set& s) {
    std::string t;
    for (auto& o : s) t += (t.empty() ? "" : "; ") + o;
    return t;
}
}  // namespace

TEST_CASE("litmus") {
    for (const auto& table : litmus_tables())
        for (const auto& row : table.rows) {
            const auto r = search(row.what, full_search());
            INFO(row.what.name << " message: " << r.message << " executions " << r.executions);
            CHECK(text(found(r)) == text(row.engine));
            CHECK(r.verdict != verdict::held);
        }
}
}  // namespace ordeal::model_tests
