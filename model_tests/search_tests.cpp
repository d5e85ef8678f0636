// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search says about itself: bounds, seeds, budgets, replays, and what it cannot do. Relacy's, where the other
// engine is not named; what only the graph engine's can do is in graph/.
#include "model_tests/litmus/litmus.hpp"
#include "model_tests/support/same_trace.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Held with no preemption, violated with one.
template <class P>
struct needs_one_preemption {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            x.store(2, relaxed);
        } else {
            require(x.fetch_add(0, relaxed) != 1, "it comes between the stores");
        }
    }
};

template <class P>
struct many_steps {
    static constexpr auto threads = four_threads;
    typename P::template atomic<int> x{0};
    void run(int) {
        for (int i = 0; i < 8; ++i) x.fetch_add(1, relaxed);
    }
};

// Of interest where the reader sees the store; with `Impossible` never.
template <bool Impossible>
struct assumes {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};

        void run(int thread) {
            if (thread == 0) {
                x.store(1, relaxed);
            } else {
                assume(x.load(relaxed) == (Impossible ? 2 : 1));
            }
        }
    };
};

int executions_so_far = 0;

// What a thread does depends on something that is not of the execution: on how many there were before.
enum class change { fewer_operations, more_operations, another_operation, another_verdict };

template <change What>
struct nondeterministic {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template atomic<int> y{0};

        void run(int thread) {
            if (thread == 1) return twice();
            const bool third = ++executions_so_far == 3;
            const bool odd = executions_so_far % 2 != 0;
            if (What == change::another_verdict) require(!third, "the third time");
            if (What == change::another_operation && third) {
                y.fetch_add(1, relaxed);
            } else {
                x.fetch_add(1, relaxed);
            }
            if (What == change::fewer_operations && third) return;
            x.fetch_add(1, relaxed);
            if (What == change::more_operations && odd) twice();
        }
        void twice() {
            x.fetch_add(1, relaxed);
            x.fetch_add(1, relaxed);
        }
    };
};

template <class P>
struct any_threads {
    static constexpr auto threads = std::array{"only"};
    typename P::template cell<int> common{0};
    void run(int) { (void)common.read(); }
};

template <class P>
struct crashes {
    static constexpr auto threads = std::array{"only"};
    void run(int) {
        volatile int* nowhere = nullptr;
        nowhere = nowhere + 1;
        *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): that is the test
    }
};

template <class P>
struct impossible_order {
    static constexpr auto threads = std::array{"only"};
    typename P::template atomic<int> x{0};
    void run(int) { (void)x.load(relaxed); }
};

constexpr auto both_engines = {"relacy", "graph"};

}  // namespace

TEST_CASE("A preemption bound is a limit of the verdict, and hides what needs more preemptions") {
    const scenario what = make_scenario<needs_one_preemption>("needs one preemption");
    search_options how;
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = 0;
    const search_result none = search(what, how);
    CHECK(none.verdict == verdict::held_within);
    CHECK(names_limit(none, "at most 0 preemptions"));
    how.strategy.bound = 1;
    CHECK(search(what, how).kind == violation_kind::failed_requirement);
    CHECK(search(what, full_search()).kind == violation_kind::failed_requirement);
}

TEST_CASE("An automatic search shows the violation with the fewest preemptions") {
    const search_result result = search(make_scenario<needs_one_preemption>("needs one preemption"));
    REQUIRE(result.replay.has_value());
    CHECK(result.replay->text.starts_with("1."));
}

TEST_CASE("A random search repeats itself with the same seed, and not with another") {
    const scenario what = make_scenario<needs_one_preemption>("needs one preemption");
    const search_result first = search(what, random_search(1000, 7));
    const search_result again = search(what, random_search(1000, 7));
    REQUIRE(first.kind == violation_kind::failed_requirement);
    CHECK(first.replay == again.replay);
    CHECK(first.executions == again.executions);
    CHECK(same_trace(first.trace, again.trace));
    bool differs_somewhere = false;
    for (std::uint64_t seed = 8; seed < 16; ++seed) {
        const search_result other = search(what, random_search(1000, seed));
        CHECK(other.kind == violation_kind::failed_requirement);
        differs_somewhere |= other.executions != first.executions || other.replay != first.replay;
    }
    CHECK(differs_somewhere);
}

TEST_CASE("A random search makes the executions asked for, and says so") {
    const search_result result = search(make_scenario<many_steps>("many steps"), random_search(500, 3));
    CHECK(result.verdict == verdict::held_within);
    CHECK(result.executions == 500);
    CHECK(names_limit(result, "500 random executions, seed 3"));
}

TEST_CASE("A search cut by its time budget is not complete and has held only within that") {
    for (const auto mode : {search_mode::full, search_mode::automatic}) {
        search_options how;
        how.strategy.mode = mode;
        how.resources.seconds = 0.05;
        const search_result result = search(make_scenario<many_steps>("many steps"), how);
        CHECK_FALSE(result.complete);
        CHECK_FALSE(result.stopped);
        CHECK(result.verdict == verdict::held_within);
        CHECK(names_limit(result, "was ended after"));
        CHECK(result.executions > 0);
        CHECK(result.seconds < 5);
    }
}

TEST_CASE("A scenario that is not deterministic is reported as such") {
    const auto check = [](const scenario& what) {
        const search_result result = search(what, full_search());
        CAPTURE(what.name, result.message);
        REQUIRE(result.kind.has_value());
        CHECK(to_string(*result.kind) == to_string(violation_kind::nondeterminism));
    };
    check(make_scenario<nondeterministic<change::fewer_operations>::test>("fewer operations"));
    check(make_scenario<nondeterministic<change::more_operations>::test>("more operations"));
    check(make_scenario<nondeterministic<change::another_operation>::test>("another operation"));
    check(make_scenario<nondeterministic<change::another_verdict>::test>("another verdict"));
}

TEST_CASE("An override on a site that nothing reaches is inconclusive") {
    search_options how;
    how.mutant.overrides = {{{"src/ordeal/coro/task.hpp", 1, 1, role::exchange}, order::relaxed}};
    for (const char* engine : both_engines) {
        const search_result result = search(registered("event/set_against_one_waiter"), how, engine);
        CAPTURE(engine);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.find("src/ordeal/coro/task.hpp@1.1.exchange=relaxed") != std::string::npos);
    }
}

TEST_CASE("An override with an order that the operation cannot have is a violation, not ignored") {
    const scenario what = make_scenario<impossible_order>("impossible order");
    for (const char* engine : both_engines) {
        CAPTURE(engine);
        const search_result plain = search(what, {}, engine);
        REQUIRE(plain.verdict != verdict::violated);
        REQUIRE(plain.sites.size() == 1);
        for (const order wrong : {order::release, order::acq_rel}) {
            search_options how;
            how.mutant.overrides = {{plain.sites.front().where.key, wrong}};
            CHECK(search(what, how, engine).kind == violation_kind::failed_requirement);
        }
    }
}

TEST_CASE("Choices that make no sense are inconclusive") {
    const scenario what = make_scenario<needs_one_preemption>("needs one preemption");
    for (const char* rubbish :
         {"", "full", "0121", "nobody.01", "full.Z", "full.9", "full.0z", "full.000000009", "-1.0"}) {
        CAPTURE(rubbish);
        search_options how;
        how.replay = choices{rubbish};
        CHECK(search(what, how).verdict == verdict::inconclusive);
    }
}

TEST_CASE("An execution that holds replays as one that holds") {
    search_options how;
    how.replay = choices{"full."};
    const search_result result = search(make_scenario<many_steps>("many steps"), how);
    CHECK(result.verdict == verdict::held_within);
    CHECK(result.executions == 1);
    CHECK_FALSE(result.trace.empty());
    CHECK(names_limit(result, "one execution"));
}

TEST_CASE("An execution in which an assumption does not hold is blocked, and a search of those alone is inconclusive") {
    const search_result some = search(make_scenario<assumes<false>::test>("assumes"), full_search(), "graph");
    CHECK(some.verdict == verdict::held);
    CHECK(some.executions == 1);
    CHECK(some.blocked == 1);
    const search_result none = search(make_scenario<assumes<true>::test>("assumes too much"), full_search(), "graph");
    CHECK(none.verdict == verdict::inconclusive);
    CHECK(none.message == "no execution was followed to its end: there was none in which every assumption holds");
}

TEST_CASE("Random executions in which an assumption does not hold are not counted") {
    const search_result some = search(make_scenario<assumes<false>::test>("assumes"), random_search(100, 1), "graph");
    CHECK(some.verdict == verdict::held_within);
    CHECK(some.executions > 0);
    CHECK(some.blocked > 0);
    CHECK(some.executions + some.blocked == 100);
}

TEST_CASE("Relacy is inconclusive where an assumption does not hold") {
    const search_result result = search(make_scenario<assumes<false>::test>("assumes"), {}, "relacy");
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message == "an assumption does not hold in some execution, which Relacy cannot give up");
}

TEST_CASE("More threads than an engine runs are inconclusive") {
    for (const char* engine : both_engines) {
        scenario what = make_scenario<any_threads>("many threads");
        const std::size_t most = find_engine(engine)->max_threads();
        CAPTURE(engine, most);
        what.threads.assign(most, "thread");
        CHECK(search(what, {}, engine).verdict != verdict::inconclusive);
        what.threads.emplace_back("one more");
        const search_result result = search(what, {}, engine);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.executions == 0);
        CHECK(result.message.find("has " + std::to_string(most + 1)) != std::string::npos);
    }
}

TEST_CASE("A crash is a verdict") {
    for (const char* engine : both_engines) {
        CHECK(search(make_scenario<crashes>("crashes"), {}, engine).kind == violation_kind::crash);
    }
}

}  // namespace ordeal::model_tests
