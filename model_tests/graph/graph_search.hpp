// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/litmus/litmus.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

template <class P>
using atomic_int = typename P::template atomic<int>;
template <class P>
using cell_int = typename P::template cell<int>;

/// Searches with the graph engine: everything, if nothing else is asked for.
[[nodiscard]] inline search_result graph_search(const scenario& what, const search_options& how = full_search()) {
    return search(what, how, "graph");
}

/// Everything, also redundant retries and graphs with a permanently blocked thread.
[[nodiscard]] inline search_options following_all() {
    search_options how = full_search();
    how.reductions.retries = how.reductions.blocked = false;
    return how;
}

[[nodiscard]] inline outcome_set outcomes_of(const search_result& result) {
    outcome_set found;
    for (const auto& [outcome, count] : result.outcomes) found.insert(outcome);
    return found;
}

/// Every execution was explored, and these are the outcomes.
inline search_result check_held(const scenario& what, const outcome_set& outcomes,
                                const search_options& how = full_search()) {
    const search_result result = graph_search(what, how);
    CAPTURE(what.name, result.message, result.limits, result.executions, result.blocked);
    CHECK(to_string(result.verdict) == to_string(verdict::held));
    CHECK(result.complete);
    CHECK_FALSE(leave_anything_out(result.limits));
    CHECK(outcomes_of(result) == outcomes);
    return result;
}

/// No violation, but only this one limit makes it so.
inline search_result check_held_within(const scenario& what, const std::string& limit, const outcome_set& outcomes,
                                       const search_options& how = full_search()) {
    const search_result result = graph_search(what, how);
    CAPTURE(what.name, result.message, result.limits, result.executions, result.blocked);
    CHECK(to_string(result.verdict) == to_string(verdict::held_within));
    CHECK(result.complete);
    CHECK(result.limits.size() == 1);
    CHECK(names_limit(result, limit));
    CHECK(outcomes_of(result) == outcomes);
    return result;
}

/// Both searches have come to the same, and by as many executions.
inline void check_same(const search_result& left, const search_result& right) {
    CAPTURE(left.message, right.message);
    CHECK(to_string(left.verdict) == to_string(right.verdict));
    CHECK(left.kind == right.kind);
    CHECK(left.executions == right.executions);
    CHECK(left.blocked == right.blocked);
    CHECK(left.outcomes == right.outcomes);
    CHECK(left.limits == right.limits);
    REQUIRE(left.sites.size() == right.sites.size());
    for (std::size_t i = 0; i < left.sites.size(); ++i) {
        CHECK(left.sites[i].where.key == right.sites[i].where.key);
        CHECK(left.sites[i].crossed == right.sites[i].crossed);
    }
}

/// Violated in this way, and what is replayed is violated in the same way.
inline search_result check_violated(const scenario& what, violation_kind kind,
                                    const search_options& how = full_search()) {
    const search_result result = graph_search(what, how);
    CAPTURE(what.name, result.message, result.executions, result.blocked);
    CHECK(to_string(result.verdict) == to_string(verdict::violated));
    REQUIRE(result.kind.has_value());
    CHECK(to_string(*result.kind) == to_string(kind));
    CHECK(result.replay.has_value());
    return result;
}

}  // namespace ordeal::model_tests
