// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many threads as an execution can have. What the threads of a program do must not depend on their numbers: random programs are
// searched again behind threads that do nothing, so that they have the highest ones.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/counting_up.hpp"
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/search_parts.hpp"
#include "model_tests/support/same_trace.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// What is searched behind others, and behind how many.
scenario_body inner;
int idle = 0;

/// There is one such scenario at a time.
scenario with_the_last_threads(const scenario& what) {
    inner = what.model;
    idle = static_cast<int>(most_threads - what.threads.size());
    scenario result = what;
    result.threads.insert(result.threads.begin(), static_cast<std::size_t>(idle), "idle");
    result.model.run = [](void* object, int thread) {
        if (thread >= idle) inner.run(object, thread - idle);
    };
    return result;
}

void compare(const rc11::program& what, const search_options& how) {
    INFO(rc11::to_string(what));
    const scenario few = rc11::as_scenario(what);
    check_same(graph_search(few, how), graph_search(with_the_last_threads(few), how));
}

template <class P>
struct unordered_hand_over {
    static constexpr auto threads = two_threads;
    typename P::template cell<int> payload{0};
    typename P::template atomic<int> flag{0};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 1;
            flag.store(1, relaxed);
        } else if (flag.load(relaxed) == 1) {
            require(payload.read() == 1);
        }
    }
};

template <std::size_t Threads>
struct each_for_itself {
    template <class P>
    struct test {
        static constexpr auto threads = [] {
            std::array<const char*, Threads> names{};
            names.fill("counts");
            return names;
        }();
        std::array<typename P::template atomic<int>, Threads> counts{};
        std::array<typename P::template cell<int>, Threads> plain{};
        typename P::template atomic<int> common{1};

        void run(int thread) {
            const auto me = static_cast<std::size_t>(thread);
            counts[me].fetch_add(common.load(relaxed), relaxed);
            plain[me].write() = thread;
        }
        void finish() {
            for (std::size_t i = 0; i < Threads; ++i) {
                require(counts[i].load(relaxed) == 1 && plain[i].read() == static_cast<int>(i));
            }
        }
    };
};

}  // namespace

TEST_CASE("Threads with the highest numbers have the executions of those with the lowest: every memory model") {
    search_options how = full_search();
    for (const memory_model under : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
        how.model = under;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            CAPTURE(to_string(under), seed);
            compare(rc11::random_program({.threads = 3, .locations = 3, .instructions = 3}, seed), how);
        }
    }
}

TEST_CASE("Threads with the highest numbers have the executions of those with the lowest: locks and a semaphore") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        compare(rc11::random_locking_program(
                    {.threads = 3, .instructions = 3, .mutexes = 2, .tries = true, .semaphore = true}, seed),
                full_search());
    }
}

TEST_CASE("Threads with the highest numbers have the executions of those with the lowest: a bound of preemptions") {
    search_options how = full_search();
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = 1;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        compare(rc11::random_program({.threads = 3, .locations = 2, .instructions = 3}, seed), how);
    }
}

TEST_CASE("A search with as many threads as there may be is written and read, and shared by processes") {
    const scenario what = with_the_last_threads(make_scenario<counting_up<3, 3>::test>("three times three"));
    check_survives_parts(what, 37);
    for (const unsigned jobs : {1U, 2U}) {
        search_options how = full_search();
        how.resources.jobs = jobs;
        const search_result result = graph_search(what, how);
        CAPTURE(jobs, result.message);
        CHECK(result.verdict == verdict::held);
        CHECK(result.executions == interleavings_of_three_times_three);
        CHECK(result.outcomes.size() == 7);
    }
}

TEST_CASE("A violation by the last of as many threads as there may be is found, and shown again by its token") {
    const scenario what = with_the_last_threads(make_scenario<unordered_hand_over>("unordered hand-over"));
    const search_result found = check_violated(what, violation_kind::data_race);
    REQUIRE(found.replay.has_value());
    CHECK(found.replay->text.find("rh") != std::string::npos);
    CHECK(found.replay->text.find("ri") != std::string::npos);
    search_options again = full_search();
    again.replay = found.replay;
    const search_result shown = graph_search(what, again);
    CHECK(shown.kind == violation_kind::data_race);
    CHECK(same_trace(found.trace, shown.trace));
    for (const search_mode mode : {search_mode::random, search_mode::pct, search_mode::pos, search_mode::surw}) {
        search_options sampled;
        sampled.strategy.mode = mode;
        sampled.strategy.bound = 500;
        sampled.strategy.seed = 1;
        CHECK(graph_search(what, sampled).kind == violation_kind::data_race);
    }
}

TEST_CASE("A scenario can have 71 threads, and one with more is refused by their number") {
    static_assert(most_threads == 71);
    const search_result all = graph_search(make_scenario<each_for_itself<71>::test>("as many as there may be"));
    CAPTURE(all.message);
    CHECK(all.verdict == verdict::held);
    CHECK(all.executions == 1);
    const search_result more = graph_search(make_scenario<each_for_itself<72>::test>("one more"));
    CHECK(more.verdict == verdict::inconclusive);
    CHECK(more.message == "the scenario has 72 threads; the engine graph supports up to 71");
}

TEST_CASE("A condition variable keeps apart all threads that wait and are woken") {
    std::vector<int> order(most_threads);
    std::iota(order.begin(), order.end(), 1);
    std::uint64_t waiting = 0;
    for (const int thread_id : order) waiting = graph::with_waiting(waiting, thread_id);
    CHECK(graph::waiting_threads(waiting) == 71);
    for (const int thread_id : order) {
        CHECK(graph::is_waiting(waiting, thread_id));
        CHECK_FALSE(graph::is_woken(waiting, thread_id));
    }

    const std::uint64_t all_woken = graph::after_notify_all(waiting);
    CHECK(graph::waiting_threads(all_woken) == 0);
    std::uint64_t left = all_woken;
    for (const int thread_id : order) {
        CHECK(graph::is_woken(left, thread_id));
        left = graph::after_wake_up(left, thread_id);
    }
    CHECK(left == 0);

    for (unsigned which = 0; which < most_threads; ++which) {
        const std::uint64_t woken = graph::after_notify_one(waiting, which, order);
        for (const int thread_id : order) {
            const bool meant = thread_id == order[which];
            CHECK(graph::is_waiting(woken, thread_id) == !meant);
            CHECK(graph::is_woken(woken, thread_id) == meant);
        }
        CHECK(graph::after_wake(waiting | graph::queue_is_locked, 1, which, order) == (woken | graph::queue_is_locked));
    }
    CHECK(graph::waiting_threads(graph::queue_is_locked) == 0);
    CHECK(graph::after_notify_all(waiting | graph::queue_is_locked) == (all_woken | graph::queue_is_locked));
    CHECK(graph::ways_to_wake(waiting, 1) == 71);
    CHECK(graph::ways_to_wake(waiting, 71) == 1);
    CHECK(graph::ways_to_choose(15, 31) == 300'540'195);
    CHECK(graph::ways_to_choose(2, 71) == 2'485);
    CHECK(graph::ways_to_choose(69, 71) == 2'485);
    CHECK(graph::ways_to_choose(35, 71) > std::uint64_t{1} << 56);
    CHECK(graph::ways_to_wake(waiting, 15) > graph::most_ways_to_wake);
}

TEST_CASE("A view counts the events of each of as many threads as there may be") {
    graph::view early;
    early.add_one_of(1);
    graph::view late = early;
    late.add_one_of(graph::max_thread_ids - 1);
    CHECK(graph::view::lanes() == graph::max_thread_ids);
    CHECK(late.includes(early));
    CHECK_FALSE(early.includes(late));
    CHECK(early.includes_but_of(graph::max_thread_ids - 1, late));
    for (std::size_t thread_id = 0; thread_id < graph::max_thread_ids; ++thread_id) {
        CHECK(early[thread_id] == (thread_id == 1 ? 1 : 0));
        graph::view other;
        other[thread_id] = 3;
        CHECK_FALSE(late.includes(other));
        graph::view both = late;
        both.join(other);
        CHECK(both.includes(late));
        CHECK(both.includes(other));
        CHECK(both[thread_id] == 3);
    }
    late.clear();
    CHECK(graph::view().includes(late));
}

TEST_CASE("Each thread has a letter of its own in a token") {
    graph::execution_graph all;
    for (std::size_t thread_id = 1; thread_id < graph::max_thread_ids; ++thread_id) {
        graph::event each;
        each.thread_id = static_cast<std::uint8_t>(thread_id);
        all.add(each);
    }
    const std::string text = graph::to_text(all);
    CHECK(text ==
          "ar0br0cr0dr0er0fr0gr0hr0ir0jr0kr0lr0mr0nr0or0Ar0Br0Cr0Dr0Er0Fr0Gr0Hr0Ir0Jr0Kr0Lr0Mr0Nr0Or0Pr0"
          "qar0qbr0qcr0qdr0qer0qfr0qgr0qhr0qir0qjr0qkr0qlr0qmr0qnr0qor0qAr0qBr0qCr0qDr0qEr0qFr0qGr0qHr0qIr0qJr0qKr0qLr0"
          "qMr0qNr0qOr0qPr0rar0rbr0rcr0rdr0rer0rfr0rgr0rhr0rir0");
    const auto read = graph::parse_graph(text);
    REQUIRE(read.has_value());
    CHECK(graph::to_text(*read) == text);
    for (std::size_t i = 0; i < read->size(); ++i) {
        CHECK((*read)[static_cast<graph::event_id>(i)].thread_id == i + 1);
    }
    CHECK(graph::parse_graph("amp1").has_value());  // of what construction freed
    CHECK(graph::parse_graph("amP1").has_value());
    CHECK_FALSE(graph::parse_graph("pr0").has_value());
    CHECK_FALSE(graph::parse_graph("Qr0").has_value());
    CHECK_FALSE(graph::parse_graph("rjr0").has_value());  // there are no more
    CHECK_FALSE(graph::parse_graph("q").has_value());
    CHECK_FALSE(graph::parse_graph("qpr0").has_value());
    const auto next = graph::parse_graph("ar0amri1_rh");
    REQUIRE(next.has_value());
    CHECK(next->spurious_matters_next == 70);
    CHECK(graph::to_text(*next) == "ar0amri1_rh");
}

}  // namespace ordeal::model_tests
