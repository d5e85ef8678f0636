// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the graph engine by themselves, over states that no code on trial has made.
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/facts/trace_recorder.hpp"
#include "ordeal/engine/graph/core/liveness/liveness.hpp"
#include "ordeal/engine/graph/core/progress/spinloop_sites.hpp"
#include "ordeal/engine/graph/core/runner/run_allowance.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"
#include "ordeal/engine/graph/search/shards.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace ordeal::detail::graph;

constexpr location flag = 7;

// Thread 1 has written the flag `writes` times; thread 2 has read one of these writes, or the initial value.
struct two_threads {
    thread_tree thread_ids{2};
    execution_graph graph;
    run_state run;

    two_threads(int writes, event_id rf) {
        for (int i = 0; i < writes; ++i) {
            event write;
            write.where = flag;
            write.data = write_data{.value = static_cast<std::uint64_t>(i + 1), .co = static_cast<event_index>(i + 1)};
            write.thread_id = 1;
            write.index = static_cast<event_index>(i);
            graph.add(write);
        }
        event read;
        read.where = flag;
        read.read().rf = rf;
        read.thread_id = 2;
        graph.add(read);
        run.thread_ids = &thread_ids;
        run.begin(graph);
        run.objects.add({0x1000, 4}, ordeal::object_kind::atomic).name_of = flag;
        run.of(1).status = thread_status::finished;
    }
    thread_state& reader() { return run.of(2); }
    void block(const block_reason& why) {
        reader().status = thread_status::blocked;
        reader().why = why;
    }
};

}  // namespace

TEST_CASE("A loop that has seen the newest write stands still for ever, and one that has not does not", "[graph]") {
    two_threads newest(1, 0);
    newest.block(blocked::by_spinloop{});
    const liveness at_newest(newest.run, 100);
    CHECK(at_newest.all_blocked_forever());
    CHECK(at_newest.kind() == ordeal::violation_kind::livelock);

    two_threads older(1, initial_write);
    older.block(blocked::by_spinloop{});
    CHECK_FALSE(liveness(older.run, 100).all_blocked_forever());
}

// As one that a token has, which somebody has edited, or of code that has changed since.
TEST_CASE("What a loop has seen is asked of a graph with gaps in coherence, too", "[graph]") {
    two_threads gap(2, 0);
    gap.graph[1].write().value = gap.graph[0].write().value;
    gap.graph[1].write().co = 3;
    gap.block(blocked::by_spinloop{});
    CHECK_FALSE(liveness(gap.run, 100).all_blocked_forever());

    two_threads elsewhere(2, 0);
    elsewhere.graph[0].where = flag + 1;
    elsewhere.graph[0].write().co = 9;
    elsewhere.graph[1].write().value = elsewhere.graph[0].write().value;
    elsewhere.block(blocked::by_spinloop{});
    CHECK(liveness(elsewhere.run, 100).all_blocked_forever());
}

TEST_CASE("A wait that no notification can wake is a deadlock, and one that was notified is not", "[graph]") {
    two_threads all(1, initial_write);
    all.block(blocked::by_wait{all.reader().path.back(), {}});
    const liveness still(all.run, 100);
    CHECK(still.all_blocked_forever());
    CHECK(still.kind() == ordeal::violation_kind::deadlock);

    notification call{flag, 0x1000, 1, true, 1, 1, {}, {}};
    call.hb[1] = 1;
    all.run.notifications.push_back(call);
    CHECK_FALSE(still.all_blocked_forever());
}

TEST_CASE("A thread has come back in the same state at the same place, with nothing done since", "[graph]") {
    thread_fingerprint before;
    before.where = 1;
    before.taken = thread_fingerprint::extent::all;
    before.thread = 5;
    before.memory = 6;
    thread_fingerprint now = before;
    now.event = 3;
    CHECK(now.has_come_back_to(before));
    const auto differs = [&](auto change) {
        thread_fingerprint other = now;
        change(other);
        return !other.has_come_back_to(before);
    };
    CHECK(differs([](thread_fingerprint& other) { other.where = 2; }));
    CHECK(differs([](thread_fingerprint& other) { other.thread = 6; }));
    CHECK(differs([](thread_fingerprint& other) { other.memory = 5; }));
    CHECK(differs([](thread_fingerprint& other) { other.taken = thread_fingerprint::extent::thread; }));
    CHECK(differs([](thread_fingerprint& other) { ++other.done.effects; }));
    CHECK(differs([](thread_fingerprint& other) { ++other.done.locks; }));
    // What was written is in the memory that is compared; where that is not compared, it counts.
    CHECK_FALSE(differs([](thread_fingerprint& other) { ++other.done.writes; }));
    before.taken = now.taken = thread_fingerprint::extent::thread;
    CHECK(differs([](thread_fingerprint& other) { ++other.done.writes; }));
    before.taken = now.taken = thread_fingerprint::extent::none;
    CHECK_FALSE(now.has_come_back_to(before));

    before.taken = now.taken = thread_fingerprint::extent::all;
    std::vector<thread_fingerprint> visits{before, before, now};
    visits[1].event = 2;
    visits[2].thread = 7;
    CHECK(last_equal(visits, now) == &visits[1]);
    CHECK(last_equal(std::span(visits).first(1), now) == visits.data());
    CHECK(last_equal({}, now) == nullptr);
}

TEST_CASE("Parts of a state that are hashed in sequence neither cancel nor change places", "[graph]") {
    using ordeal::detail::hash_of_number;
    const auto both = [](std::uint64_t first, std::uint64_t second) {
        return hash_of_number(second, hash_of_number(first, 0));
    };
    CHECK(both(3, 3) != both(4, 4));
    CHECK(both(3, 4) != both(4, 3));
    CHECK(both(0, 0) != hash_of_number(0, 0));
}

TEST_CASE("The state of an execution can be copied and put back", "[graph]") {
    two_threads all(2, 0);
    const run_state before = all.run;
    all.block(blocked::by_spinloop{});
    all.reader().hb[1] = 2;
    all.run.step = 9;
    all.run.objects.find(0x1000)->alive = false;
    all.run = before;
    CHECK(all.reader().status == thread_status::ready);
    CHECK(all.reader().hb[1] == 0);
    CHECK(all.run.step == 0);
    CHECK(all.run.objects.find(0x1000)->alive);
}

namespace {

struct no_stacks final : ordeal::detail::naming_log::stacks {
    [[nodiscard]] std::optional<int> thread_with(std::uintptr_t /*address*/) const override { return {}; }
    [[nodiscard]] ordeal::detail::calling_function suspended_in(int /*thread_id*/) const override { return {}; }
};

}  // namespace

TEST_CASE("A recorder that no trace is wanted of takes what is said and keeps nothing", "[graph]") {
    two_threads all(1, 0);
    const no_stacks stacks;
    recorder steps(all.run, false, stacks);
    steps.begin(false);
    steps.record("load", ordeal::no_site, nullptr).after(1).note("thread ", 2);
    CHECK(steps.steps().empty());
    steps.begin(true);
    steps.record("load", ordeal::no_site, nullptr).after(1).note("thread ", 2);
    REQUIRE(steps.steps().size() == 1);
    CHECK(steps.steps().front().note == "thread 2");
    CHECK(steps.steps().front().after == 1);
}

TEST_CASE("Places of loops are known by name to the next process", "[graph]") {
    spinloop_sites first;
    const ordeal::site_id here = 0;
    CHECK_FALSE(first.knows(here));
    first.add(here);
    CHECK(first.knows(here));
    spinloop_sites next;
    next.expect(first.names());
    CHECK(next.knows(here));
}

TEST_CASE("Each bound of a search has a name, a sentence and a flag of its own", "[graph]") {
    std::set<std::string> names;
    search_facts none;
    for (const exploration_bound& each : exploration_bounds()) {
        INFO(each.id);
        CHECK(names.insert(each.id).second);
        CHECK_FALSE(each.words(each.most).empty());
        search_facts one;
        one.*each.reached = true;
        search_facts sum;
        sum.add(one);
        CHECK(sum.*each.reached);
        CHECK(sum.met_a_bound() == (each.effect == ordeal::detail::limit_effect::bounds));
        CHECK_FALSE(none.*each.reached);
    }
}

TEST_CASE("A long run counts as several, and an endless one as more than all that are allowed", "[graph]") {
    CHECK(runs_that_count(40, 1'000) == 1);
    CHECK(runs_that_count(640, 8'000) == 1 + 100 + 2);
    CHECK(runs_that_count(10'000, 0) > most_further_runs);
    CHECK(runs_that_count(0, 20'000'000) > most_further_runs);

    run_allowance three(3);
    CHECK(three.spend(1));
    CHECK(three.spend(2));
    CHECK_FALSE(three.spend(1));
    CHECK_FALSE(run_allowance(3).spend(4));
}

TEST_CASE("A strategy explores, samples or replays", "[graph]") {
    work_stack work;
    replay_strategy again;
    CHECK((work.explores() && !work.samples() && !work.replays()));
    CHECK((again.replays() && !again.samples() && !again.explores()));
    CHECK(again.choose(1, 3) == 0);
    CHECK(again.choose_thread(std::array{runnable_thread{2}, runnable_thread{1}}) == 2);
    work.emit({});
    again.emit({});
    CHECK(work.size() == 1);
}

TEST_CASE("Shards are added up unless they found other threads interchangeable or were divided in another way",
          "[graph]") {
    const auto shard = [](const std::string& alike, const std::string& division) {
        part_of_search part;
        part.counted.executions = 3;
        part.learned = alike;
        part.division = division;
        return serialise(part);
    };
    const std::string not_there;  // a shard that reported nothing
    const std::string before_it_looked = shard("", "");
    const merged_shards merged = add_up({not_there, shard("1.0,1.1", "x"), before_it_looked, shard("1.0,1.1", "x")});
    CHECK(merged.learned == "1.0,1.1");
    CHECK(merged.counted.executions == 9);
    CHECK(merged.unfinished == std::vector{1U, 3U});

    const auto refused = [](const std::vector<std::string>& parts, const std::string& why) {
        CHECK_THROWS_WITH(add_up(parts), Catch::Matchers::Contains(why));
    };
    const std::string others = "has found other threads interchangeable than those before it";
    refused({shard("1.0,1.1", "x"), shard("1.0,1.2", "x")}, "shard 2 " + others);
    refused({shard("-", "x"), before_it_looked, shard("1.0,1.1", "x")}, "shard 3 " + others);
    refused({shard("*1.0,1.1", "x"), shard("1.0,1.1", "x")}, "shard 2 " + others);
    refused({shard("-", "x"), shard("-", "y")}, "shard 2 divided the search in another way");
    refused({shard("-", "x"), "x"}, "what shard 2 counted cannot be read");
}
