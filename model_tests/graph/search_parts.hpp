// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/graph_search.hpp"

#include "ordeal/engine/graph/core/explorer/explorer.hpp"

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

/// What a search counts that is written and read after every few runs.
[[nodiscard]] inline graph::tally counted_in_parts(const scenario& what, const search_options& how,
                                                   std::uint64_t runs) {
    search_progress progress;
    graph::tally total;
    std::vector<graph::execution_graph> work{{}};
    while (!work.empty()) {
        graph::explorer explorer(what, how, progress);
        // The last ones first: parts come back in any order.
        for (const graph::execution_graph& each : std::views::reverse(work)) explorer.work().emit(each);
        explorer.explore(runs, graph::explorer::clock::time_point::max());
        graph::part_of_search part{explorer.take_tally(), {}};
        for (std::size_t i = 0; i < explorer.work().size(); ++i) part.work.push_back(explorer.work()[i]);
        const auto read = graph::parse_part(graph::serialise(part));
        REQUIRE(read.has_value());
        REQUIRE(graph::serialise(*read) == graph::serialise(part));
        total.add(read->counted);
        work = read->work;
    }
    return total;
}

/// It comes to what one comes to that is not.
inline void check_survives_parts(const scenario& what, std::uint64_t runs) {
    const search_result whole = graph_search(what);
    const graph::tally total = counted_in_parts(what, full_search(), runs);
    CHECK(total.executions == whole.executions);
    CHECK(total.outcomes == whole.outcomes);
}

/// The same of one in which each run is left as soon as it may be; returns how many were.
inline std::uint64_t check_survives_leaving(const scenario& what) {
    const search_result whole = graph_search(what);
    graph::execution_runner runs(what, {.spurious = 2});
    graph::work_stack work;
    graph::execution_graph graph;
    std::uint64_t executions = 0;
    std::uint64_t left = 0;
    work.emit(graph);
    while (!work.empty()) {
        work.take(graph);
        runs.interpreter().scheduling_points.leave_at(graph::explorer::clock::time_point::min());
        const graph::ending how = runs.run(graph, work);
        runs.count_outcome();
        executions += how == graph::ending::complete ? 1 : 0;
        left += how == graph::ending::abandoned ? 1 : 0;
    }
    CHECK(executions == whole.executions);
    CHECK(runs.outcomes() == whole.outcomes);
    return left;
}

}  // namespace ordeal::model_tests
