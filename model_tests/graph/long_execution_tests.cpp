// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a long execution take time in proportion to its length: an index in place of looking through all events, a
// check of memory models that needs no look at the whole graph, views that are packed. Each is held against the slow
// way, on random graphs. ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose others, and more of them.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/random_seed.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/consistency/consistency.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;
using namespace detail::graph;

namespace {

constexpr std::size_t threads_of_graph = 4;
constexpr location locations_of_graph = 3;

/// Two equal graphs that grow event by event like that of a random execution; one has an index.
class growing_graph {
public:
    growing_graph(std::uint64_t seed, std::size_t indexed_from) : random_(seed) { indexed.index_from(indexed_from); }

    /// One more operation.
    void grow() {
        const std::size_t thread_id = 1 + below(threads_of_graph - 1);
        const location where = 1 + below(locations_of_graph);
        switch (below(4)) {
            case 0: return write(thread_id, where, initial_write, false);
            case 1: {
                const event_id rf = read(thread_id, where, true);
                return write(thread_id, where, rf, true);
            }
            case 2: return fence(thread_id);
            default: (void)read(thread_id, where, false);
        }
    }
    [[nodiscard]] std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
    }
    [[nodiscard]] view some_view() {
        view result;
        for (std::size_t id = 1; id < threads_of_graph; ++id) {
            result[id] = static_cast<event_index>(below(counts_.at(id) + std::size_t{1}));
        }
        return result;
    }

    execution_graph plain;
    execution_graph indexed;
    views_table views;
    std::size_t sure = 0;    ///< so often surely_consistent() sufficed for what is not newest
    std::size_t unsure = 0;  ///< and did not, for what is allowed
    std::size_t forbidden = 0;

private:
    event_id add(std::size_t thread_id, event_kind kind, location where) {
        event made;
        made.thread_id = static_cast<std::uint8_t>(thread_id);
        made.data = new_data(kind);
        made.where = where;
        made.index = counts_.at(thread_id)++;
        made.using_order = std::array{order::relaxed, order::acq_rel, order::seq_cst}.at(below(3));
        plain.add(made);
        const event_id id = indexed.add(made);
        views.resize(id + std::size_t{1});
        return id;
    }
    void both(event_id id, auto change) {
        change(plain[id]);
        change(indexed[id]);
    }
    void finish(std::size_t thread_id, event_id id) {
        model_.happens_before().go_past(plain, views, threads_.at(thread_id), id);
        model_.note(plain[id]);
        views[id].done = true;
    }
    // What surely_consistent() says is right. Whether the candidate is allowed.
    bool compare(event_id id, std::span<const event_id> later, const execution_graph& with) {
        if (later.empty()) return true;
        const bool surely = model_.surely_consistent(plain, plain[id], later);
        consistency whole = model_;
        whole.note(plain[id]);
        const bool allowed = whole.allows(with, views);
        if (surely) CHECK(allowed);
        sure += surely ? 1 : 0;
        unsure += !surely && allowed ? 1 : 0;
        forbidden += allowed ? 0 : 1;
        return allowed;
    }
    event_id read(std::size_t thread_id, location where, bool modifies) {
        const event_id id = add(thread_id, event_kind::read, where);
        std::vector<event_id> all;
        plain.coherence(where, all);
        const std::size_t bound = plain.coherence_bound(where, threads_.at(thread_id).hb);
        std::size_t co = bound + below(all.size() - bound);
        // Its write has no other place to go to.
        if (modifies) co = all.size() - 1;
        const auto take = [&] {
            both(id, [&](event& made) { made.read().rf = all[co]; });
            model_.happens_before().calculate_read_views(plain, views, threads_.at(thread_id), id);
        };
        take();
        if (!compare(id, std::span(all).subspan(co + 1), plain)) {
            co = all.size() - 1;
            take();
        }
        indexed.complete_read(id);
        finish(thread_id, id);
        return all[co];
    }
    void write(std::size_t thread_id, location where, event_id rf, bool modifies) {
        const event_id id = add(thread_id, event_kind::write, where);
        both(id, [&](event& made) { made.write().rmw = modifies; });
        model_.happens_before().calculate_write_views(plain, views, threads_.at(thread_id), id, rf);
        finish(thread_id, id);
        const coherence_position bound = plain.coherence_bound(where, views[id].hb);
        CHECK(indexed.coherence_bound(where, views[id].hb) == bound);
        std::vector<coherence_position> places;
        std::vector<coherence_position> of_index;
        coherent_placings(plain, id, rf, bound, places);
        coherent_placings(indexed, id, rf, bound, of_index);
        CHECK(of_index == places);
        REQUIRE_FALSE(places.empty());
        coherence_position co = places.at(below(places.size()));
        std::vector<event_id> all;
        plain.coherence(where, all);
        execution_graph with = plain;
        with.insert_in_co(id, co);
        if (!compare(id, std::span(all).subspan(co), with) && !modifies) co = places.front();
        plain.insert_in_co(id, co);
        indexed.insert_in_co(id, co);
    }
    // No seq_cst fence: for those a check has to look at everything.
    void fence(std::size_t thread_id) {
        const event_id id = add(thread_id, event_kind::fence, no_location);
        both(id, [](event& made) { made.using_order = order::acq_rel; });
        thread_views& me = threads_.at(thread_id);
        model_.happens_before().begin_fence(views, me, id, order::acq_rel);
        model_.happens_before().calculate_write_views(plain, views, me, id, initial_write);
        finish(thread_id, id);
        model_.happens_before().end_fence(me, order::acq_rel);
    }

    std::mt19937_64 random_;
    consistency model_{memory_model::rc11};
    std::array<thread_views, threads_of_graph> threads_{};
    std::array<event_index, threads_of_graph> counts_{};
};

void check_same_answers(growing_graph& of) {
    for (location where = 1; where <= locations_of_graph + 1; ++where) {  // the last one has no access
        std::vector<event_id> all;
        of.plain.coherence(where, all);
        const std::span<const event_id> known = of.indexed.indexed_coherence(where);
        CHECK(std::vector(known.begin(), known.end()) == all);
        CHECK(of.indexed.co_size(where) == of.plain.co_size(where));
        CHECK(of.indexed.co_max(where) == of.plain.co_max(where));
        for (int i = 0; i < 4; ++i) {
            const view seen = of.some_view();
            CHECK(of.indexed.coherence_bound(where, seen) == of.plain.coherence_bound(where, seen));
        }
    }
    for (std::size_t i = 0; i < of.plain.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = of.plain[id];
        if (each.is_write()) CHECK(of.indexed[id].write().co == each.write().co);
        CHECK(of.indexed.before_in_thread(id) == of.plain.before_in_thread(id));
        if (each.is_read()) CHECK(of.indexed.rmw_write_of(each) == of.plain.rmw_write_of(each));
        if (each.is_rmw()) CHECK(of.indexed.rf_of_rmw(id) == of.plain.rf_of_rmw(id));
    }
}

// Sets the size from which graphs of random executions have an index, for one test.
class indexed_from {
public:
    explicit indexed_from(std::size_t size) : before_(std::exchange(graph_memory::indexed_from, size)) {}
    indexed_from(const indexed_from&) = delete;
    indexed_from& operator=(const indexed_from&) = delete;
    ~indexed_from() { graph_memory::indexed_from = before_; }

private:
    std::size_t before_;
};

template <class P>
struct counted_by_two {
    static constexpr auto threads = two_threads;
    static constexpr int iterations = 7'000;
    typename P::template atomic<int> x{0};

    void run(int /*thread*/) {
        for (int i = 0; i < iterations; ++i) x.fetch_add(1, relaxed);
    }
    void finish() { require(x.load(relaxed) == 2 * iterations, "nothing is lost"); }
};

search_options random_executions_of(std::uint64_t executions, std::uint64_t seed) {
    search_options how;
    how.strategy.mode = search_mode::random;
    how.strategy.bound = executions;
    how.strategy.seed = seed;
    return how;
}

}  // namespace

TEST_CASE("An index of a graph answers as a look through all of its events does", "[graph]") {
    const std::uint64_t seed = rc11::first_seed();
    for (std::uint64_t i = 0; i < rc11::from_environment("ORDEAL_PROGRAMS", 100); ++i) {
        // From the first event on, and built when the graph has some.
        growing_graph graph(seed + i, i % 2 == 0 ? 0 : 20);
        while (graph.plain.size() < 60) {
            graph.grow();
            REQUIRE(graph.indexed.is_indexed() == (graph.plain.size() > (i % 2 == 0 ? 0 : 20)));
            REQUIRE_FALSE(graph.plain.is_indexed());
            if (graph.indexed.is_indexed() && graph.plain.size() % 7 == 0) check_same_answers(graph);
        }
        check_same_answers(graph);
        const execution_graph copied = graph.indexed;
        CHECK_FALSE(copied.is_indexed());
    }
}

TEST_CASE("What is surely allowed without a check of the whole graph is allowed", "[graph]") {
    const std::uint64_t seed = rc11::first_seed();
    std::size_t sure = 0;
    std::size_t unsure = 0;
    std::size_t forbidden = 0;
    for (std::uint64_t i = 0; i < rc11::from_environment("ORDEAL_PROGRAMS", 400); ++i) {
        growing_graph graph(seed + i, 0);
        while (graph.plain.size() < 40) graph.grow();
        sure += graph.sure;
        unsure += graph.unsure;
        forbidden += graph.forbidden;
    }
    CHECK(sure > 300);
    CHECK(unsure > 0);
    CHECK(forbidden > 0);
}

TEST_CASE("Random executions are the same with an index and without", "[graph]") {
    const std::uint64_t seed = rc11::first_seed();
    for (std::uint64_t i = 0; i < rc11::from_environment("ORDEAL_PROGRAMS", 60); ++i) {
        const auto what = rc11::as_scenario(
            i % 3 == 0 ? rc11::random_locking_program({.threads = 2 + i % 2}, seed + i)
                       : rc11::random_program({.threads = 2 + i % 2, .locations = 3, .instructions = 6}, seed + i));
        const auto how = random_executions_of(50, seed + i);
        search_result plain;
        {
            const indexed_from never(max_events + 1);
            plain = graph_search(what, how);
        }
        const indexed_from beginning(0);
        CAPTURE(seed + i);
        check_same(plain, graph_search(what, how));
    }
}

TEST_CASE("Views that are packed are as they were", "[graph]") {
    std::mt19937_64 random(rc11::first_seed());
    views_table table;
    std::vector<event_views> all;
    const auto fill = [&](view& which, std::size_t lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) which[lane] = static_cast<event_index>(random() % 1'000'000);
    };
    for (std::size_t i = 0; i < 5 * views_table::events_of_chunk; ++i) {
        table.pack();
        table.resize(i + 1);
        event_views& made = table[i];
        made.renew();
        // Later ones know of more threads.
        const std::size_t lanes = i < 2 * views_table::events_of_chunk ? 3 : 12;
        for (view* const each : {&made.hb, &made.porf, &made.hb_before_acquire, &made.message_view}) fill(*each, lanes);
        made.step = static_cast<std::uint32_t>(random());
        made.site = static_cast<site_id>(i);
        made.may_be_rmw = i % 2 == 0;
        made.done = i % 3 == 0;
        all.push_back(made);
    }
    CHECK(table.packed() >= 3 * views_table::events_of_chunk);
    REQUIRE(table.size() == all.size());
    bool same = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const event_views& now = std::as_const(table)[i];
        const auto equal = [](const view& a, const view& b) { return a.includes(b) && b.includes(a); };
        same &= equal(now.hb, all[i].hb) && equal(now.porf, all[i].porf) &&
                equal(now.hb_before_acquire, all[i].hb_before_acquire) && equal(now.message_view, all[i].message_view);
        same &= now.step == all[i].step && now.site == all[i].site && now.may_be_rmw == all[i].may_be_rmw &&
                now.done == all[i].done;
    }
    CHECK(same);
    table.renew(7);
    CHECK(table.size() == 7);
    CHECK(table.packed() == 0);
}

TEST_CASE("An execution is followed for as many operations as it is allowed to have", "[graph]") {
    const auto what = make_scenario<counted_by_two>("long/counted_by_two");
    search_options how = random_executions_of(2, 1);
    how.bounds.length = default_length;
    check_violated(what, violation_kind::livelock, how);
    how.bounds.length = 20'000;
    const search_result result = graph_search(what, how);
    CAPTURE(result.message);
    CHECK(to_string(result.verdict) == to_string(verdict::held_within));
    CHECK(result.executions == 2);
    CHECK_FALSE(names_limit(result, "length"));
}

}  // namespace ordeal::model_tests
