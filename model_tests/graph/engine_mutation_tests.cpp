// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph engine broken on purpose: what it then loses, or does twice, is seen in the counts.
#include "model_tests/graph/graph_search.hpp"

#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using graph::ending;
using graph::event_id;
using graph::event_kind;
using graph::execution_graph;

// The last event of a graph is the one that it was made for.
const graph::event& newest(const execution_graph& of) { return of[static_cast<event_id>(of.size() - 1)]; }

// Some read that was there before reads from the newest write.
bool is_revisit(const execution_graph& of) {
    return std::ranges::any_of(of.events(), [&](const graph::event& each) {
        return each.is_read() && each.read().rf + std::size_t{1} == of.size();
    });
}
bool is_other_source(const execution_graph& of) { return newest(of).is_read(); }
bool is_other_place(const execution_graph& of) { return newest(of).is_write() && !is_revisit(of); }

// Passes each graph on as often as `copies` says.
class distorting_sink final : public graph::strategy {
public:
    distorting_sink(graph::work_stack& to, std::function<int(const execution_graph&)> copies)
        : strategy(kind::explores), to_(to), copies_(std::move(copies)) {}

    void emit(const execution_graph& revisit) override {
        for (int i = copies_(revisit); i > 0; --i) to_.emit(revisit);
    }

private:
    graph::work_stack& to_;
    std::function<int(const execution_graph&)> copies_;
};

struct count {
    std::uint64_t executions = 0;
    std::uint64_t different = 0;
};

// As the engine searches, but with another sink.
count search_distorted(const scenario& what, std::function<int(const execution_graph&)> copies) {
    graph::execution_runner runner(what, {.spurious = 0});
    graph::work_stack work;
    distorting_sink sink(work, std::move(copies));
    execution_graph graph;
    count result;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        if (runner.run(graph, sink) != ending::complete) continue;
        ++result.executions;
        runner.count_outcome();
    }
    result.different = runner.outcomes().size();
    return result;
}

// Has all three kinds of revisits: the reader runs after one of the writers and before the other. An outcome of its
// own for each of its executions.
template <class P>
struct two_writers_and_a_reader {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> x{0};
    int first = -1;
    int second = -1;
    int last = -1;

    void run(int thread) {
        if (thread == 1) {
            first = x.load(relaxed);
            second = x.load(relaxed);
        } else {
            x.store(thread + 1, relaxed);
        }
    }
    void finish() { last = x.load(relaxed); }
    [[nodiscard]] std::string outcome() const { return values(first, second, last); }
};

// Of each order of the two writes, the reader sees two of the three values in their order, or one twice.
constexpr std::uint64_t all_executions = std::uint64_t{2} * 6;

const auto faithfully = [](const execution_graph&) { return 1; };

}  // namespace

TEST_CASE("A search with a sink that changes nothing is the engine's own") {
    const scenario what = make_scenario<two_writers_and_a_reader>("two writers and a reader");
    const count own = search_distorted(what, faithfully);
    CHECK(own.executions == all_executions);
    CHECK(own.different == all_executions);
    CHECK(graph_search(what).executions == all_executions);
}

TEST_CASE("Without one kind of revisits, executions are missing") {
    const scenario what = make_scenario<two_writers_and_a_reader>("two writers and a reader");
    for (const auto& is_dropped : {is_revisit, is_other_source, is_other_place}) {
        const count found =
            search_distorted(what, [&](const execution_graph& each) { return is_dropped(each) ? 0 : 1; });
        CHECK(found.executions > 0);
        CHECK(found.executions < all_executions);
        CHECK(found.different < all_executions);
    }
}

TEST_CASE("With one revisit in three missing, executions are missing") {
    const scenario what = make_scenario<two_writers_and_a_reader>("two writers and a reader");
    for (int kept = 0; kept < 3; ++kept) {
        int revisits = 0;
        const count found =
            search_distorted(what, [&](const execution_graph&) { return revisits++ % 3 == kept ? 0 : 1; });
        CHECK(found.different < all_executions);
    }
}

TEST_CASE("With revisits explored twice, there are too many executions, and none is new") {
    const scenario what = make_scenario<two_writers_and_a_reader>("two writers and a reader");
    for (const auto& is_doubled : {is_revisit, is_other_source, is_other_place}) {
        const count found =
            search_distorted(what, [&](const execution_graph& each) { return is_doubled(each) ? 2 : 1; });
        CHECK(found.executions > all_executions);
        CHECK(found.different == all_executions);
    }
}

}  // namespace ordeal::model_tests
