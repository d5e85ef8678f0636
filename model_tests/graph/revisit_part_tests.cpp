// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides how a graph is revisited, on graphs that are built by hand: maximality, revisits, coherence positions.
#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/maximality.hpp"
#include "ordeal/engine/graph/core/revisits/backward_revisits.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace ordeal::detail::graph;

constexpr location x = 1;
constexpr location y = 2;
constexpr std::uint64_t some_freed_block = 0x10001;

struct built_graph {
    execution_graph graph;
    std::array<event_index, 4> counts{};

    event_id add(std::uint8_t thread_id, event_kind kind, location where) {
        event added;
        added.thread_id = thread_id;
        added.data = new_data(kind);
        added.where = where;
        added.index = counts.at(thread_id)++;
        return graph.add(added);
    }
    event_id write(std::uint8_t thread_id, location where, coherence_position co) {
        const event_id id = add(thread_id, event_kind::write, where);
        graph[id].write().co = co;
        return id;
    }
    event_id read(std::uint8_t thread_id, location where, event_id rf) {
        const event_id id = add(thread_id, event_kind::read, where);
        graph[id].read().rf = rf;
        return id;
    }
    // The write of a read-modify-write, after its read.
    event_id exchange(std::uint8_t thread_id, location where, event_id rf, coherence_position co) {
        read(thread_id, where, rf);
        const event_id id = write(thread_id, where, co);
        graph[id].write().rmw = true;
        return id;
    }
};

// So many events of thread 1, of thread 2 and of thread 3.
view prefix(event_index first, event_index second = 0, event_index third = 0) {
    view result;
    result[1] = first;
    result[2] = second;
    result[3] = third;
    return result;
}

std::vector<event_id> not_maximal(const execution_graph& graph, maximality& scan) {
    std::vector<event_id> result;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        if (!scan.is_maximally_added(graph, id)) result.push_back(id);
    }
    return result;
}

std::vector<event_id> not_maximal(const execution_graph& graph, const view& porf) {
    maximality scan;
    scan.begin(graph, porf);
    return not_maximal(graph, scan);
}

std::vector<event_id> not_maximal_for_any(const execution_graph& graph) {
    maximality scan;
    scan.begin_for_any_write(graph);
    return not_maximal(graph, scan);
}

using ids = std::vector<event_id>;

class collected final : public strategy {
public:
    collected() noexcept : strategy(kind::explores) {}
    void emit(const execution_graph& revisit) override { graphs.push_back(revisit); }

    std::vector<execution_graph> graphs;
};

}  // namespace

TEST_CASE("An event is maximal if it takes the co-maximal write among the events before it", "[graph]") {
    built_graph latest;
    const event_id first = latest.write(1, x, 1);
    latest.read(2, x, first);
    latest.write(2, x, 2);
    CHECK(not_maximal(latest.graph, {}).empty());
    CHECK(not_maximal_for_any(latest.graph).empty());

    built_graph older_read;
    older_read.write(1, x, 1);
    const event_id passed_over = older_read.read(2, x, initial_write);
    CHECK(not_maximal(older_read.graph, {}) == ids{passed_over});
    CHECK(not_maximal_for_any(older_read.graph) == ids{passed_over});

    built_graph earlier_place;
    earlier_place.write(1, x, 2);
    const event_id placed_before = earlier_place.write(2, x, 1);
    earlier_place.write(2, y, 1);
    CHECK(not_maximal(earlier_place.graph, {}) == ids{placed_before});
}

TEST_CASE("What is in the prefix of the new write comes before every event", "[graph]") {
    built_graph all;
    const event_id early = all.read(2, x, initial_write);
    all.write(1, x, 1);
    CHECK(not_maximal(all.graph, {}).empty());
    CHECK(not_maximal(all.graph, prefix(1)) == ids{early});
    CHECK(not_maximal_for_any(all.graph).empty());
}

TEST_CASE("A revisited read is maximal if its write is in the prefix, and its write is not maximal", "[graph]") {
    built_graph all;
    const event_id revisited = all.read(2, x, 1);
    const event_id write = all.write(1, x, 1);
    CHECK(not_maximal(all.graph, {}) == ids{revisited, write});
    CHECK(not_maximal(all.graph, prefix(1)) == ids{write});
    CHECK(not_maximal_for_any(all.graph) == ids{write});
}

TEST_CASE("Spurious outcomes, other variants, reused blocks and locks for which another was deleted are not maximal",
          "[graph]") {
    const auto alone = [](auto change) {
        built_graph one;
        const event_id id = one.read(1, x, initial_write);
        change(one.graph[id]);
        return !not_maximal(one.graph, {}).empty();
    };
    CHECK_FALSE(alone([](event&) {}));
    CHECK(alone([](event& read) { read.read().spurious = true; }));
    CHECK(alone([](event& read) { read.read().variant = 1; }));
    CHECK(alone([](event& read) { read.read().deletes_blocked_lock = true; }));

    built_graph allocations;
    const event_id fresh = allocations.add(1, event_kind::allocation, no_location);
    CHECK(not_maximal(allocations.graph, {}).empty());
    allocations.graph[fresh].allocation().block = some_freed_block;
    CHECK(not_maximal(allocations.graph, {}) == ids{fresh});
}

TEST_CASE("A revisit keeps what was inserted before the read, and the prefix of the write", "[graph]") {
    built_graph whole;
    const event_id before = whole.write(3, y, 1);
    const event_id read = whole.read(2, x, initial_write);
    whole.write(3, y, 2);      // after the read and outside the prefix
    whole.write(1, y, 3);      // in the prefix
    whole.read(1, y, before);  // in the prefix
    const event_id write = whole.write(1, x, 0);
    whole.graph[read].read().retry = retry_status::needed;

    execution_graph made;
    execution_graph::renumbering tables;
    made.revisit(whole.graph, read, write, prefix(3), tables);
    REQUIRE(made.size() == 5);
    CHECK(made[0].where == y);
    CHECK(made[1].is_read());
    CHECK(made[1].read().rf == 4);
    CHECK(made[1].read().revisited);
    CHECK(made[1].read().retry == retry_status::unknown);
    CHECK(made[2].write().co == 2);  // the gap that the deleted write left is closed
    CHECK(made[3].read().rf == 0);
    CHECK(made[4].where == x);
    CHECK_FALSE(made.known_consistent);

    // A read that would have to wait is deleted, and the lock that revisits it says so.
    built_graph locks;
    const event_id waits = locks.read(2, x, initial_write);
    const event_id lock = locks.exchange(1, x, initial_write, 0);
    made.revisit_deleting_lock(locks.graph, waits, lock, prefix(2), tables);
    REQUIRE(made.size() == 2);
    CHECK(made[0].read().deletes_blocked_lock);
    CHECK(made[0].thread_id == 1);
    CHECK(made[1].write().rmw);
}

TEST_CASE("A write revisits each read that may read it, unless an event after that read is not maximal", "[graph]") {
    const auto revisited = [](built_graph& all, event_index events_of_writer) {
        const event_id write = all.write(1, x, 0);
        views_table views(all.graph.size());
        views[write].porf = views[write].hb = prefix(static_cast<event_index>(events_of_writer + 1));
        collected found;
        backward_revisits backward;
        const bool complete = backward.emit(all.graph, views, write, false, found);
        return std::pair(found.graphs, complete);
    };
    built_graph two_reads;
    two_reads.read(2, x, initial_write);
    two_reads.read(3, x, initial_write);
    const auto [both, all_made] = revisited(two_reads, 0);
    CHECK(all_made);
    REQUIRE(both.size() == 2);
    CHECK(both[0].size() == 2);  // the second read comes after the first and is deleted
    CHECK(both[1].size() == 3);

    built_graph not_deleted;
    not_deleted.read(2, x, initial_write);
    const event_id stays = not_deleted.read(3, y, initial_write);
    not_deleted.graph[stays].read().spurious = true;
    CHECK(revisited(not_deleted, 0).first.empty());

    built_graph repeated;
    const event_id again = repeated.read(2, x, initial_write);
    repeated.graph[again].read().repeated = true;
    const auto [none, complete] = revisited(repeated, 0);
    CHECK(none.empty());
    CHECK_FALSE(complete);

    built_graph own;
    own.read(1, x, initial_write);
    CHECK(revisited(own, 1).first.empty());
}

TEST_CASE("A write takes any place after its bound but one between a read-modify-write and what that reads",
          "[graph]") {
    built_graph all;
    const event_id first = all.write(1, x, 1);
    const event_id second = all.exchange(2, x, first, 2);
    const event_id write = all.write(3, x, 0);
    std::vector<coherence_position> places;
    coherent_placings(all.graph, write, initial_write, 0, places);
    CHECK(places == std::vector<coherence_position>{3, 1});
    coherent_placings(all.graph, write, initial_write, 1, places);
    CHECK(places == std::vector<coherence_position>{3});

    // Half of a read-modify-write comes directly after what it reads, if no other does.
    const event_id exchange = all.exchange(3, x, second, 0);
    coherent_placings(all.graph, exchange, second, 0, places);
    CHECK(places == std::vector<coherence_position>{3});
    coherent_placings(all.graph, exchange, first, 0, places);
    CHECK(places.empty());
    coherent_placings(all.graph, exchange, second, 3, places);
    CHECK(places.empty());
}

TEST_CASE("A read is unrevisitable if it passed over a later write that was there", "[graph]") {
    built_graph all;
    const event_id first = all.write(1, x, 1);
    all.write(1, x, 2);
    const event_id older = all.read(2, x, first);
    const event_id latest = all.read(2, x, 1);
    all.write(1, x, 3);
    CHECK(all.graph.is_unrevisitable(older));
    CHECK_FALSE(all.graph.is_unrevisitable(latest));  // the write that is later still came after it

    built_graph revisited;
    revisited.write(1, x, 2);
    const event_id read = revisited.read(2, x, 2);
    revisited.write(3, x, 1);
    CHECK_FALSE(revisited.graph.is_unrevisitable(read));
}

TEST_CASE("Without its retry, a thread reads at first what it reads at last", "[graph]") {
    built_graph whole;
    const event_id earlier = whole.read(2, x, initial_write);
    const event_id write = whole.write(1, x, 1);
    const event_id last = whole.read(2, x, write);
    whole.graph[earlier].read().retry = retry_status::needed;
    whole.graph[earlier].read().spurious = true;

    execution_graph made;
    execution_graph::renumbering tables;
    made.without_retry(whole.graph, earlier, last, tables);
    const event_id taken = tables.renamed[earlier];
    REQUIRE(made.size() == 2);
    CHECK(made[taken].read().rf == 1);
    CHECK(made[taken].read().retry == retry_status::unknown);
    CHECK_FALSE(made[taken].read().spurious);
    CHECK_FALSE(made[taken].read().revisited);
}

TEST_CASE("The two halves of a read-modify-write are found from each other", "[graph]") {
    built_graph all;
    const event_id write = all.exchange(1, x, initial_write, 1);
    const event_id failed = all.read(1, x, write);
    const event_id read = all.graph.before_in_thread(write);
    CHECK(all.graph.rmw_write_of(all.graph[read]) == write);
    CHECK(all.graph.rmw_write_of(all.graph[failed]) == initial_write);
    CHECK(all.graph.rf_of_rmw(write) == initial_write);
}
