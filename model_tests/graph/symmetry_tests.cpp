// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search with interchangeable threads against the one without: the same classes of executions, each run once. A
// class is named by the least of the texts of its executions, made by exchanging the threads in every way.
// ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/graph/symmetric_program.hpp"

#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ordeal::model_tests::symmetric {

using namespace detail;

namespace {

using graph::ending;
using graph::event;
using graph::event_id;
using graph::event_kind;
using graph::execution_graph;

using renaming = std::array<int, graph::max_thread_ids>;

// What each thread did: what its reads read, and where its writes came in coherence.
std::string text_of(const execution_graph& graph, const renaming& names) {
    std::array<std::string, graph::max_thread_ids> threads;
    for (const event& each : graph.events()) {
        std::string& text = threads[static_cast<std::size_t>(names[each.thread_id])];
        if (each.kind() == event_kind::fence) text += "f";
        if (each.is_write()) text += fmt::format("w{}", each.write().co);
        if (!each.is_read()) continue;
        text += each.read().spurious ? "s" : "r";
        if (!each.reads_event()) continue;
        const event& rf = graph[each.read().rf];
        text += fmt::format("{}.{}", names[rf.thread_id], rf.index);
    }
    return fmt::format("{}", fmt::join(threads, " "));
}

std::string class_of(const execution_graph& graph, const std::vector<int>& alike) {
    std::vector<int> exchanged = alike;
    std::string least;
    do {
        renaming names{};
        for (std::size_t i = 0; i < names.size(); ++i) names[i] = static_cast<int>(i);
        for (std::size_t i = 0; i < alike.size(); ++i) names[static_cast<std::size_t>(alike[i] + 1)] = exchanged[i] + 1;
        const std::string text = text_of(graph, names);
        if (least.empty() || text < least) least = text;
    } while (std::ranges::next_permutation(exchanged).found);
    return least;
}

struct exploration {
    std::set<std::string> classes;
    std::size_t executions = 0;
};

enum class search_kind : std::uint8_t { whole, symmetric, symmetric_and_careless };

constexpr std::size_t most_executions = 3'000;

// Nothing where the program has more executions than this test has time for.
std::optional<exploration> explore(const program& what, search_kind how) {
    const scenario body = as_scenario(what);
    graph::symmetry symmetry(what.alike);
    graph::execution_runner runner(body, {.spurious = 2});
    graph::work_stack work;
    execution_graph graph;
    exploration result;
    const bool all = how == search_kind::whole;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        if (!all && !symmetry.leads_to_a_representative(graph)) continue;
        // What a search would leave out that compared threads by what may still be revisited.
        if (how == search_kind::symmetric_and_careless && !symmetry.is_representative(graph)) continue;
        const ending end = runner.run(graph, work);
        if (end == ending::violated)
            throw std::runtime_error("violated: " + runner.interpreter().run_end.found()->message);
        if (end != ending::complete || (!all && !symmetry.is_representative(graph))) continue;
        result.classes.insert(class_of(graph, what.alike));
        if (++result.executions > most_executions) return std::nullopt;
    }
    return result;
}

struct counts {
    std::uint64_t compared = 0;
    std::uint64_t executions = 0;
    std::uint64_t classes = 0;
    std::uint64_t representatives = 0;
};

void compare(const program& what, counts& sums) {
    INFO(to_string(what));
    const auto whole = explore(what, search_kind::whole);
    if (!whole) return;
    const auto reduced = explore(what, search_kind::symmetric);
    REQUIRE(reduced.has_value());
    ++sums.compared;
    sums.executions += whole->executions;
    sums.classes += whole->classes.size();
    sums.representatives += reduced->executions;
    const bool same_classes = whole->classes == reduced->classes;
    CAPTURE(whole->executions, whole->classes.size(), reduced->executions, reduced->classes.size());
    REQUIRE(same_classes);
    REQUIRE(reduced->executions == reduced->classes.size());
}

counts compare_random_programs(const shape& of) {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t count = rc11::from_environment("ORDEAL_PROGRAMS", 100);
    counts sums;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        INFO(fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1 makes this program alone", seed));
        compare(random_program(of, seed), sums);
    }
    CAPTURE(first, count, sums.compared, sums.executions, sums.classes, sums.representatives);
    if (count >= 50) CHECK(sums.compared >= count / 2);
    if (count >= 50) CHECK(sums.representatives < sums.executions);
    return sums;
}

}  // namespace

TEST_CASE("Symmetry leaves one execution of each class: loads and stores") {
    compare_random_programs({.modifications = false});
}

TEST_CASE("Symmetry leaves one execution of each class: read-modify-writes") { compare_random_programs({}); }

TEST_CASE("Symmetry leaves one execution of each class: seq_cst") { compare_random_programs({.seq_cst = true}); }

TEST_CASE("Symmetry leaves one execution of each class: a mutex") {
    compare_random_programs({.modifications = false, .mutex = true});
}

TEST_CASE("Symmetry leaves one execution of each class: atomics that the threads make themselves") {
    compare_random_programs({.own_atomics = true});
}

TEST_CASE("Symmetry leaves one execution of each class: operations that may fail spuriously") {
    compare_random_programs({.weak = true});
    compare_random_programs({.modifications = false, .weak = true});
}

// In whatever order they lie in memory.
TEST_CASE("Symmetry leaves one execution of each class: an array with an element for each thread") {
    compare_random_programs({.slots = true});
}

// Such an atomic's name changes with an exchange, so threads are compared by what they do to it at last, all at once.
TEST_CASE("Symmetry leaves one execution of each class: atomics that other threads made") {
    compare_random_programs({.modifications = false, .own_atomics = true, .published_atomics = true});
}

TEST_CASE("Symmetry leaves one execution of each class: everything") {
    compare_random_programs(
        {.seq_cst = true, .mutex = true, .weak = true, .own_atomics = true, .slots = true, .published_atomics = true});
}

// What is in the wrong order for good stays so, whatever the thread between the two may do.
TEST_CASE("A graph is left out when two interchangeable threads are out of order, and one between them has no events") {
    constexpr graph::location where = 1;
    execution_graph graph;
    const auto add = [&](std::uint8_t thread_id, event_id index, event_kind kind, event_id rf, event_id co) {
        event each;
        each.thread_id = thread_id;
        each.index = index;
        each.data = graph::new_data(kind);
        each.where = where;
        if (each.is_read()) each.read().rf = rf;
        if (each.is_write()) each.write().co = co;
        return graph.add(each);
    };
    // Of threads 1, 2 and 3 the first writes, and the last reads what was there before: that comes first in order.
    const event_id written = add(1, 0, event_kind::write, graph::initial_write, 1);
    (void)add(3, 0, event_kind::read, graph::initial_write, 0);
    graph::symmetry symmetry({0, 1, 2});
    CHECK(symmetry.leads_to_a_representative(graph));  // a revisit may delete the write
    (void)add(4, 0, event_kind::write, graph::initial_write, 2);
    (void)add(4, 1, event_kind::read, written, 0);  // made by no search that takes the newest, so it stays
    CHECK_FALSE(symmetry.leads_to_a_representative(graph));
}

TEST_CASE("A search with symmetry that leaves out too much would be noticed") {
    std::size_t noticed = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const program what = random_program({}, seed);
        const auto whole = explore(what, search_kind::whole);
        const auto careless = explore(what, search_kind::symmetric_and_careless);
        if (whole && careless && whole->classes != careless->classes) ++noticed;
    }
    CHECK(noticed > 0);
}

}  // namespace ordeal::model_tests::symmetric
