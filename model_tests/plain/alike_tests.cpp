// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that a search finds to be interchangeable, against the search that explores all of their orders. A class of
// executions is named by the least of the texts of its executions, made by exchanging the threads in every way.
#include "model_tests/support/search.hpp"

#include "ordeal/engine/engines.hpp"
#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry_groups.hpp"
#include "ordeal/engine/graph/search/workers.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/engine/process/watchdog.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using graph::event;
using graph::event_kind;
using graph::execution_graph;
using graph::symmetry_group;

constexpr const char* engine_name = "graph";

using renaming = std::array<int, graph::max_thread_ids>;

// What each thread did: what its reads read, where its writes came in coherence, whose freed memory it took.
std::string text_of(const execution_graph& graph, const renaming& names) {
    std::array<std::string, graph::max_thread_ids> threads;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<graph::event_id>(i);
        const event& each = graph[id];
        std::string& text = threads[static_cast<std::size_t>(names[each.thread_id])];
        if (each.kind() == event_kind::fence) text += "f";
        if (each.kind() == event_kind::creation) text += "c";
        if (each.is_write()) text += fmt::format("w{}", each.write().co);
        if (each.is_rmw() && graph[graph.before_in_thread(id)].read().form == graph::read_form::notify_one) {
            std::set<int> woken;
            for (int thread = 1; thread < static_cast<int>(graph::max_thread_ids); ++thread) {
                const bool is_woken = graph::is_woken(each.write().value, thread);
                if (is_woken) woken.insert(names[static_cast<std::size_t>(thread)]);
            }
            text += fmt::format("n{}", fmt::join(woken, ","));
        }
        if (each.kind() == event_kind::allocation) {
            const graph::free_name taken = graph::free_name::of(each.allocation().block);
            text += fmt::format("a{}.{}", names[taken.thread_id], taken.ordinal);
        }
        if (!each.is_read()) continue;
        text += each.read().spurious ? "s" : "r";
        if (!each.reads_event()) continue;
        const event& rf = graph[each.read().rf];
        text += fmt::format("{}.{}", names[rf.thread_id], rf.index);
    }
    return fmt::format("{}", fmt::join(threads, " "));
}

std::string class_of(const execution_graph& graph, const std::vector<symmetry_group>& groups, renaming names,
                     std::size_t from = 0) {
    if (from == groups.size()) return text_of(graph, names);
    std::vector<std::uint8_t> exchanged = groups[from].members;
    std::string least;
    do {
        for (std::size_t i = 0; i < exchanged.size(); ++i) names[groups[from].members[i]] = exchanged[i];
        const std::string text = class_of(graph, groups, names, from + 1);
        if (least.empty() || text < least) least = text;
    } while (std::ranges::next_permutation(exchanged).found);
    return least;
}

class graphs final : public graph::execution_observer {
public:
    void threads_ended(const graph::run_state& run) override {
        const harness_scope harness;
        newest_ = *run.graph;
    }
    void count_execution(const graph::run_state& /*run*/, const std::string& /*outcome*/) override {
        const harness_scope harness;
        all.push_back(newest_);
    }
    std::vector<execution_graph> all;

private:
    execution_graph newest_;
};

// The classes of all executions that a search makes, in place of outcomes, each with how many there are of it.
class classes final : public engine {
public:
    /// `groups`: empty: those that the search finds.
    explicit classes(std::vector<symmetry_group> groups) : groups_(std::move(groups)) {}

    [[nodiscard]] std::string_view name() const noexcept override { return "graph, classes"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return find_engine(engine_name)->max_threads(); }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override {
        const watchdog guard([](const interruption&) {}, [] { return 0; }, [] {});
        const instrumented_search_scope globals(true);
        graph::explorer mine(what, how, progress);
        graphs watcher;
        mine.work().emit({});
        while (!mine.done()) {
            mine.runner().set_observer(&watcher);
            mine.explore(1, graph::explorer::clock::time_point::max());
        }
        const graph::tally counted = mine.take_tally();
        search_result result;
        result.verdict = counted.found ? verdict::violated : verdict::held;
        result.message = counted.refuted;
        result.part = mine.reduction_of_graphs().export_state();
        graph::symmetry_groups found(true);
        found.set(result.part, mine.runner().interpreter().thread_ids);
        const auto& groups = groups_.empty() ? found.all() : groups_;
        renaming same{};
        std::iota(same.begin(), same.end(), 0);
        for (const execution_graph& each : watcher.all) ++result.outcomes[class_of(each, groups, same)];
        result.executions = watcher.all.size();
        return result;
    }

private:
    std::vector<symmetry_group> groups_;
};

// Shared as soon as the first runs are made.
class by_two_processes final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "graph, shared"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return find_engine(engine_name)->max_threads(); }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override {
        const watchdog guard([](const interruption&) {}, [] { return 0; }, [] {});
        const instrumented_search_scope globals(true);
        graph::explorer mine(what, how, progress);
        mine.work().emit({});
        mine.explore(2, graph::explorer::clock::time_point::max());
        graph::tally total = mine.take_tally();
        graph::workers(mine, what, how).explore(graph::explorer::clock::time_point::max(), total, progress);
        search_result result;
        result.verdict = verdict::held;
        result.message = total.refuted;
        result.executions = total.executions;
        result.part = mine.reduction_of_graphs().export_state();
        return result;
    }
};

search_result search_with(engine& with, const scenario& what, const search_options& how) {
    const std::array work{search_job{&what, &with, how}};
    search_result result;
    run_isolated(work, {}, {.jobs = 1, .hard_limit = 120}, {}, [&](std::size_t /*job*/, const search_result& found) {
        result = found;
        return false;
    });
    return result;
}

std::vector<symmetry_group> groups_of(const std::string& text) {
    graph::thread_tree threads(1);
    graph::symmetry_groups groups(true);
    groups.set(text, threads);
    return groups.all();
}

bool names_found(const search_result& result) {
    return std::ranges::any_of(result.limits, [](const limit& each) { return each.id == "interchangeable"; });
}

}  // namespace

TEST_CASE("Of executions in which equal threads are exchanged one is run, and none is lost") {
    struct counts {
        const char* name;
        std::size_t all;
        std::size_t classes;
    };
    constexpr std::array all{counts{"equal_threads_2", 4, 2},
                             counts{"equal_threads_3", 36, 6},
                             counts{"equal_threads_4", 576, 24},
                             counts{"equal_threads_in_a_vector", 12, 2},
                             counts{"equal_threads_by_pthread_create", 2, 1},
                             counts{"equal_threads_of_two_kinds", 36, 9},
                             counts{"equal_threads_that_wait", 4, 2},
                             counts{"equal_jthreads", 2, 1},
                             counts{"equal_threads_with_thread_locals", 2, 1}};
    for (const counts& each : all) {
        const scenario& what = registered(std::string("programs/") + each.name);
        INFO(each.name);
        classes found({});
        search_options one_of_each = full_search();
        one_of_each.reductions.lock_elision = false;  // these searches do not begin again
        const search_result reduced = search_with(found, what, one_of_each);
        CAPTURE(reduced.message, reduced.part);
        const std::vector<symmetry_group> groups = groups_of(reduced.part);
        REQUIRE_FALSE(groups.empty());
        CHECK(reduced.verdict == verdict::held);
        CHECK(reduced.message.empty());
        classes known(groups);
        search_options all_orders = one_of_each;
        all_orders.reductions.symmetry = false;
        const search_result whole = search_with(known, what, all_orders);
        CHECK(groups_of(whole.part).empty());
        CHECK(reduced.executions == reduced.outcomes.size());
        const auto same_class = [](const auto& one, const auto& other) { return one.first == other.first; };
        const bool same_classes = std::ranges::equal(reduced.outcomes, whole.outcomes, same_class);
        CHECK(same_classes);
        CHECK(whole.executions == each.all);
        CHECK(reduced.executions == each.classes);
    }
}

// Each is wrong in one order of its threads alone: with or without them, that is found.
TEST_CASE("Threads that are told apart are not taken for interchangeable") {
    for (const scenario& each : scenarios()) {
        if (!each.name.starts_with("programs/equal_threads_") || !each.expected.violation) continue;
        INFO(each.name);
        const search_result result = search(each, full_search(), engine_name);
        CHECK(result.kind == each.expected.violation);
        search_options again = full_search();
        again.replay = result.replay;
        CHECK(search(each, again, engine_name).kind == each.expected.violation);
    }
}

TEST_CASE("Interchangeable threads that are found are named, and turned off") {
    const scenario& what = registered("programs/equal_threads_4");
    const search_result found = search(what, full_search(), engine_name);
    CHECK(found.verdict == verdict::held);
    REQUIRE(names_found(found));
    CHECK(found.limits.front().sentence.starts_with("threads 2, 3, 4 and 5 are interchangeable (found)"));
    search_options how = full_search();
    how.reductions.symmetry = false;
    const search_result all = search(registered("programs/equal_threads_3"), how, engine_name);
    CHECK(all.verdict == verdict::held);
    CHECK_FALSE(names_found(all));
    CHECK(all.executions > search(registered("programs/equal_threads_3"), full_search(), engine_name).executions);
}

// Those of another process, which knows of no thread yet.
TEST_CASE("Interchangeable threads that are found are the same in all processes of a search") {
    const scenario& what = registered("programs/equal_threads_4");
    const std::uint64_t whole = search(what, full_search(), engine_name).executions;
    search_options by_two = full_search();
    by_two.resources.jobs = 2;
    by_two_processes shared;
    const search_result result = search_with(shared, what, by_two);
    CHECK(result.message.empty());
    CHECK(result.executions == whole);
    graph::thread_tree elsewhere(1);
    graph::symmetry_groups told(true);
    told.set(result.part, elsewhere);
    CHECK_FALSE(told.are_unknown());
    CHECK(told.text(elsewhere) == result.part);
    REQUIRE(told.all().size() == 1);
    CHECK(told.all().front().members.size() == 4);
    CHECK(told.all().front().own_blocks);
    CHECK_THROWS(told.set("1.0", elsewhere));
}

}  // namespace ordeal::model_tests
