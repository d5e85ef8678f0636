// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choices of an execution as text.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/symmetric_program.hpp"

#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using graph::event;
using graph::event_id;
using graph::execution_graph;

bool same_choices(const execution_graph& left, const execution_graph& right) {
    const auto same = [](const event& a, const event& b) {
        const bool alike = a.thread_id == b.thread_id && a.index == b.index && a.kind() == b.kind() &&
                           a.is_spurious() == b.is_spurious();
        if (!alike) return false;
        if (a.is_read()) return a.read().rf == b.read().rf && a.read().spurious_matters == b.read().spurious_matters;
        return !a.is_write() || (a.write().co == b.write().co && a.write().rmw == b.write().rmw);
    };
    return left.spurious_matters_next == right.spurious_matters_next &&
           std::ranges::equal(left.events(), right.events(), same);
}

// Every graph that a search runs, as it was taken up and as it ended.
template <class Check>
void for_each_graph(const scenario& what, Check check) {
    graph::execution_runner runner(what, {.spurious = 1});
    graph::work_stack work;
    execution_graph graph;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        check(graph);
        if (runner.run(graph, work) == graph::ending::complete) check(graph);
    }
}

template <class P>
struct weak_exchanges_and_fences {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};

    void run(int thread) {
        int seen = 0;
        (void)x.compare_exchange_weak(seen, thread + 1, relaxed, relaxed);
        P::fence(seq_cst);
        y.store(thread, relaxed);
        (void)y.load(relaxed);
    }
};

}  // namespace

TEST_CASE("The choices of every execution are read as they were written") {
    std::set<std::string> texts;
    std::size_t graphs = 0;
    const auto check = [&](const execution_graph& graph) {
        const std::string text = graph::to_text(graph);
        CAPTURE(text);
        const auto read = graph::parse_graph(text);
        REQUIRE(read.has_value());
        REQUIRE(same_choices(*read, graph));
        REQUIRE(graph::to_text(*read) == text);
        REQUIRE(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
        texts.insert(text);
        ++graphs;
    };
    for_each_graph(make_scenario<weak_exchanges_and_fences>("weak exchanges and fences"), check);
    CHECK(std::ranges::any_of(texts, [](const std::string& text) { return text.find('s') != std::string::npos; }));
    CHECK(std::ranges::any_of(texts, [](const std::string& text) { return text.find('u') != std::string::npos; }));
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const symmetric::program what = symmetric::random_program({.seq_cst = true, .mutex = true}, seed);
        CAPTURE(seed, symmetric::to_string(what));
        for_each_graph(symmetric::as_scenario(what), check);
    }
    CHECK(graphs > 1000);
}

TEST_CASE("No two executions of a search have the same text") {
    std::set<std::string> texts;
    const scenario what = make_scenario<weak_exchanges_and_fences>("weak exchanges and fences");
    graph::execution_runner runner(what, {.spurious = 1});
    graph::work_stack work;
    execution_graph graph;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        if (runner.run(graph, work) != graph::ending::complete) continue;
        CHECK(texts.insert(graph::to_text(graph)).second);
    }
    CHECK(texts.size() > 10);
}

TEST_CASE("A text that is no graph is not read as one") {
    for (const char* text : {
             "a",
             "r",
             "0",
             "a0",
             "ar",
             "aw",
             "ax",
             "as",
             "au",
             "az1",
             "am",
             "am1",  // a block, but nobody's
             "amb",
             "amb0",
             "amq1",
             "A",
             "Qr0",
             "qr0",
             "ar0 ",
             " ar0",
             "ar-1",
             "ar+1",
             "aw0",      // the initial value's place
             "ax0",      //
             "ar1",      // reads from itself
             "ar2",      // reads from an event that is not there
             "ar0ar1",   // reads from a read
             "afar1",    // reads from a fence
             "ar65536",  // too large a number
             "ar99999999999999999999",
             "qr0",  // a thread beyond the last
             "zr0",
             "`r0",  // the one before the first
             "ar0b",
             "ar0br",
             "arr0",
             "ar0_",
             "ar0_z",
             "ar0_0",
             "_",
             "__",
             "ar0_ab",
             "ar0y",
             "ar0y1",
             "y3",
             "ar0y3y3",
             "ar0y16777215",
             "_a_b",
             "ar0\n",
             "ar0,br0",
             "0121",
             "full.0121",
             "-1.0",
         }) {
        CAPTURE(text);
        CHECK_FALSE(graph::parse_graph(text).has_value());
    }
    CHECK(graph::parse_graph("")->size() == 0);
    CHECK(graph::parse_graph("ar0")->size() == 1);
    CHECK(graph::parse_graph("ar2bw1")->size() == 2);
    CHECK(graph::parse_graph("am0bma1bmp12")->size() == 3);
    CHECK(graph::parse_graph("ar101y100bw1")->size() == 101);
}

}  // namespace ordeal::model_tests
