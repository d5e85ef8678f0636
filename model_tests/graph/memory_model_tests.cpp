// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What belongs to the memory model alone: which executions there are, what a race is in them, and in which models a
// violation exists. Counts under each model are held against the oracle in oracle_tests.cpp.
#include "model_tests/graph/as_scenario.hpp"
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/oracle.hpp"

#include "ordeal/report/check_report.hpp"

#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using rc11::compare_exchange;
using rc11::exchange;
using rc11::load;
using rc11::program;
using rc11::store;

constexpr order rlx = order::relaxed;
constexpr order sc = order::seq_cst;
constexpr int x = 0;
constexpr int y = 1;
constexpr int z = 2;
constexpr rc11::instruction full_fence = rc11::fence(order::seq_cst);

// Whether the outcome is one under RC11, TSO and sequential consistency.
struct shape {
    std::string name;
    program what;
    std::string outcome;
    std::array<bool, 3> allowed;
};

std::vector<shape> shapes() {
    constexpr std::array everywhere{true, true, true};
    constexpr std::array nowhere{false, false, false};
    constexpr std::array weaker_than_tso{true, false, false};
    constexpr std::array buffered{true, true, false};
    const std::string both_old = "0:0|1:0|x=1,y=1";
    const auto two = [](rc11::thread_code first, rc11::thread_code second) {
        return program{{std::move(first), std::move(second)}};
    };
    return {
        {"SB", two({store(x, 1, rlx), load(y, rlx)}, {store(y, 1, rlx), load(x, rlx)}), both_old, buffered},
        {"SB, one after the other", two({store(x, 1, rlx), load(y, rlx)}, {store(y, 1, rlx), load(x, rlx)}),
         "0:0|1:1|x=1,y=1", everywhere},
        {"SB, seq_cst loads", two({store(x, 1, rlx), load(y, sc)}, {store(y, 1, rlx), load(x, sc)}), both_old,
         buffered},
        {"SB, seq_cst stores", two({store(x, 1, sc), load(y, rlx)}, {store(y, 1, sc), load(x, rlx)}), both_old,
         weaker_than_tso},
        {"SB, exchanges", two({exchange(x, 1, rlx), load(y, rlx)}, {exchange(y, 1, rlx), load(x, rlx)}),
         "0:0,0|1:0,0|x=1,y=1", weaker_than_tso},
        {"SB, a failing compare-exchange between",
         two({store(x, 1, rlx), compare_exchange(z, 5, 6, rlx, rlx), load(y, rlx)},
             {store(y, 1, rlx), compare_exchange(z, 5, 6, rlx, rlx), load(x, rlx)}),
         "0:0,0|1:0,0|x=1,y=1,z=0", weaker_than_tso},
        {"SB, seq_cst fences",
         two({store(x, 1, rlx), full_fence, load(y, rlx)}, {store(y, 1, rlx), full_fence, load(x, rlx)}), both_old,
         nowhere},
        {"SB, one seq_cst fence", two({store(x, 1, rlx), full_fence, load(y, rlx)}, {store(y, 1, rlx), load(x, rlx)}),
         both_old, buffered},
        {"SB, each reads its own store",
         two({store(x, 1, rlx), load(x, rlx), load(y, rlx)}, {store(y, 1, rlx), load(y, rlx), load(x, rlx)}),
         "0:1,0|1:1,0|x=1,y=1", buffered},
        {"MP", two({store(x, 1, rlx), store(y, 1, rlx)}, {load(y, rlx), load(x, rlx)}), "0:|1:1,0|x=1,y=1",
         weaker_than_tso},
        {"LB", two({load(x, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}), "0:1|1:1|x=1,y=1", nowhere},
        {"R", two({store(x, 1, rlx), store(y, 1, rlx)}, {store(y, 2, rlx), load(x, rlx)}), "0:|1:0|x=1,y=2", buffered},
        {"S", two({store(x, 2, rlx), store(y, 1, rlx)}, {load(y, rlx), store(x, 1, rlx)}), "0:|1:1|x=2,y=1",
         weaker_than_tso},
        {"2+2W", two({store(x, 1, rlx), store(y, 2, rlx)}, {store(y, 1, rlx), store(x, 2, rlx)}), "0:|1:|x=1,y=1",
         weaker_than_tso},
        {"CoRR", two({store(x, 1, rlx)}, {load(x, rlx), load(x, rlx)}), "0:|1:1,0|x=1", nowhere},
        {"IRIW",
         {{{store(x, 1, rlx)},
           {store(y, 1, rlx)},
           {load(x, order::acquire), load(y, order::acquire)},
           {load(y, order::acquire), load(x, order::acquire)}}},
         "0:|1:|2:1,0|3:1,0|x=1,y=1",
         weaker_than_tso},
        {"WRC",
         {{{store(x, 1, rlx)}, {load(x, rlx), store(y, 1, rlx)}, {load(y, rlx), load(x, rlx)}}},
         "0:|1:1|2:1,0|x=1,y=1",
         weaker_than_tso},
    };
}

search_options under(memory_model which) {
    search_options how = full_search();
    how.model = which;
    return how;
}

// The second thread knows that the first one read y before it was written, so that the first one's fence is the earlier one;
// then it cannot see the increment of a value that the first one's store came after.
template <class P>
struct revisit_against_fences {
    static constexpr auto threads = std::array{"first", "second", "adder"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    typename P::template atomic<int> z{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(2, relaxed);
            P::fence(seq_cst);
            if (y.load(relaxed) == 0) z.store(1, relaxed);
        } else if (thread == 1) {
            y.store(1, relaxed);
            P::fence(seq_cst);
            const bool earlier = z.load(relaxed) == 1;
            require(!(earlier && x.load(relaxed) == 1), "a value from before the first fence");
        } else {
            x.fetch_add(1, relaxed);
        }
    }
};

// The same without fences: what is seen is no interleaving.
template <class P>
struct revisit_against_interleaving {
    static constexpr auto threads = std::array{"first", "second", "adder"};
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(2, relaxed);
            y.store(1, relaxed);
        } else if (thread == 1) {
            const bool later = y.load(relaxed) == 1;
            require(!(later && x.load(relaxed) == 1), "a value from before the store that was seen");
        } else {
            x.fetch_add(1, relaxed);
        }
    }
};

template <class P>
struct relaxed_message {
    static constexpr auto threads = std::array{"producer", "consumer"};
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> payload{0};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            flag.store(1, relaxed);
        } else if (flag.load(relaxed) == 1) {
            require(payload.read() == 42);
        }
    }
};

// Too many executions for a search that only looks for another violation.
template <class P>
struct relaxed_message_among_many : relaxed_message<P> {
    static constexpr auto threads = std::array{"producer", "consumer", "other"};
    typename P::template atomic<int> count{0};

    void run(int thread) {
        if (thread < 2) relaxed_message<P>::run(thread);
        for (int i = 0; i < 4; ++i) count.fetch_add(1, relaxed);
    }
};

template <class P>
struct unguarded_cell {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template cell<int> payload{0};

    void run(int thread) { payload.write() = thread; }
};

template <class P>
struct both_enter {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<typename P::template atomic<int>, 2> wants{};
    std::array<bool, 2> entered{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        wants[me].store(1, relaxed);
        entered[me] = wants[1 - me].load(relaxed) == 0;
    }
    void finish() { require(!(entered[0] && entered[1]), "both entered"); }
};

// Before both enter, a third thread may spoil it in a plain way; which execution shows that first does not matter.
template <class P>
struct both_enter_or_worse : both_enter<P> {
    static constexpr auto threads = std::array{"first", "second", "third"};

    void run(int thread) {
        if (thread < 2) return both_enter<P>::run(thread);
        this->wants[0].store(0, relaxed);
    }
};

// As many failures as a search follows, and one more.
template <class P>
struct both_enter_after_failures : both_enter<P> {
    typename P::template atomic<int> other{0};

    void run(int thread) {
        int expected = 0;
        for (int i = 0; i < 3 && thread == 0; ++i) (void)other.compare_exchange_weak(expected, 0, relaxed, relaxed);
        both_enter<P>::run(thread);
    }
};

// And where each thread answers the other, a race, which an interleaving shows.
template <class P>
struct both_enter_or_race_later : both_enter<P> {
    typename P::template atomic<int> ping{0};
    typename P::template atomic<int> pong{0};
    typename P::template cell<int> payload{0};

    void run(int thread) {
        both_enter<P>::run(thread);
        if (thread == 0) {
            ping.store(1, relaxed);
            if (pong.load(relaxed) == 1) payload.write() = 1;
        } else if (ping.load(relaxed) == 1) {
            pong.store(1, relaxed);
            payload.write() = 2;
        }
    }
};

// Each thread sees its own store before the other does: on x86-64, but not by the letter of C++20 (LWG issue 3941).
template <class P>
struct both_look_at_their_own : both_enter<P> {
    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        this->wants[me].store(1, relaxed);
        (void)this->wants[me].load(std::memory_order_seq_cst);
        this->entered[me] = this->wants[1 - me].load(std::memory_order_seq_cst) == 0;
    }
};

// A weaker store comes over the flag, and is seen: on no processor, and not by the letter.
template <class P>
struct flag_is_overwritten {
    static constexpr auto threads = std::array{"publishes", "overwrites", "reads"};
    typename P::template atomic<int> data{0};
    typename P::template atomic<int> flag{0};
    int seen_flag = 0;
    int seen_data = 1;

    void run(int thread) {
        if (thread == 0) {
            data.store(1, std::memory_order_seq_cst);
            flag.store(1, std::memory_order_seq_cst);
        } else if (thread == 1) {
            flag.store(2, relaxed);
        } else {
            seen_flag = flag.load(std::memory_order_seq_cst);
            seen_data = data.load(std::memory_order_seq_cst);
        }
    }
    void finish() { require(seen_flag != 2 || seen_data != 0 || flag.load(relaxed) != 2, "missed"); }
};

// Or both have not looked, which is no matter of the letter.
template <class P>
struct both_may_look_at_their_own : both_enter<P> {
    static constexpr auto threads = std::array{"first", "second", "third"};
    typename P::template atomic<int> dark{0};

    void run(int thread) {
        if (thread == 2) return dark.store(1, relaxed);
        const auto me = static_cast<std::size_t>(thread);
        const bool looks = dark.load(relaxed) == 0;
        this->wants[me].store(1, relaxed);
        if (looks) (void)this->wants[me].load(std::memory_order_seq_cst);
        this->entered[me] =
            this->wants[1 - me].load(looks ? std::memory_order_seq_cst : std::memory_order_relaxed) == 0;
    }
};

void check_models(const scenario& what, memory_model strongest, bool excluded) {
    for (const bool full : {true, false}) {
        search_options how = full_search();
        if (!full) how.strategy.mode = search_mode::automatic;
        const search_result result = graph_search(what, how);
        CAPTURE(what.name, full, result.message);
        REQUIRE(result.verdict == verdict::violated);
        REQUIRE(result.models.has_value());
        CHECK(to_string(result.models->strongest) == to_string(strongest));
        CHECK(result.models->excluded == excluded);
    }
}

void check_held_under(const scenario& what, memory_model which) {
    CAPTURE(to_string(which));
    const search_result result = graph_search(what, under(which));
    CAPTURE(what.name, result.message, result.limits);
    CHECK(to_string(result.verdict) == to_string(verdict::held_within));
    CHECK(result.complete);
    REQUIRE(result.limits.size() == 1);
    CHECK(result.limits.front().id == "memory-model");
    CHECK(may_hide_executions(result.limits.front()));
    CHECK_FALSE(result.models.has_value());
}

}  // namespace

TEST_CASE("The shapes of the literature are allowed and forbidden under each memory model as they should be") {
    for (const shape& each : shapes()) {
        for (const memory_model which : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
            CAPTURE(each.name, each.outcome, to_string(which));
            const bool allowed =
                each.allowed[static_cast<std::size_t>(which) - static_cast<std::size_t>(memory_model::rc11)];
            const search_result found = graph_search(rc11::as_scenario(each.what), under(which));
            REQUIRE(found.complete);
            REQUIRE_FALSE(found.outcomes.empty());
            CHECK(found.outcomes.contains(each.outcome) == allowed);
            const auto counted = rc11::count_executions(each.what, {.wanted = {.model = which}, .prune = true});
            REQUIRE(counted.has_value());
            CHECK(counted->outcomes.contains(each.outcome) == allowed);
        }
    }
}

TEST_CASE("What a thread does in a graph that is no execution is no violation") {
    check_held(make_scenario<revisit_against_fences>("revisit against fences"), {});
    const scenario what = make_scenario<revisit_against_interleaving>("revisit against interleaving");
    check_violated(what, violation_kind::failed_requirement);
    check_held_under(what, memory_model::sc);
    check_held_under(what, memory_model::tso);
}

TEST_CASE("Without a violation, a search under another memory model never says that the code holds") {
    check_held_under(make_scenario<both_enter>("both enter"), memory_model::sc);
    search_options random = random_search(50, 1);
    random.model = memory_model::sc;
    const search_result sampled = graph_search(make_scenario<both_enter>("both enter"), random);
    CHECK(sampled.verdict == verdict::held_within);
    CHECK(names_limit(sampled, "sequential consistency"));
}

// Under these two models every operation synchronises: what is still unordered, no memory order puts right.
TEST_CASE("A race that stronger orders prevent is none under sequential consistency and TSO") {
    const scenario weak = make_scenario<relaxed_message>("relaxed message");
    check_violated(weak, violation_kind::data_race);
    check_held_under(weak, memory_model::tso);
    check_held_under(weak, memory_model::sc);
    const scenario unguarded = make_scenario<unguarded_cell>("unguarded cell");
    check_violated(unguarded, violation_kind::data_race, under(memory_model::tso));
    check_violated(unguarded, violation_kind::data_race, under(memory_model::sc));
}

TEST_CASE("A violation says in which memory models it exists") {
    check_models(make_scenario<unguarded_cell>("unguarded cell"), memory_model::sc, false);
    check_models(make_scenario<both_enter>("both enter"), memory_model::tso, true);
    check_models(make_scenario<relaxed_message>("relaxed message"), memory_model::rc11, true);
    check_models(make_scenario<both_enter_or_worse>("both enter or worse"), memory_model::sc, false);
}

TEST_CASE("A violation says whether the letter of C++20 allows the execution shown") {
    const auto models = [](const scenario& what) {
        const search_result result = graph_search(what);
        REQUIRE(result.verdict == verdict::violated);
        return *result.models;
    };
    const scenario forbidden = make_scenario<both_look_at_their_own>("both look at their own");
    const models_of_violation of_forbidden{.strongest = memory_model::tso, .excluded = true, .by_letter = false};
    CHECK(models(forbidden) == of_forbidden);
    check_held_under(forbidden, memory_model::cpp20_letter);
    const models_of_violation of_rc11{.strongest = memory_model::rc11, .excluded = true, .by_letter = false};
    CHECK(models(make_scenario<flag_is_overwritten>("flag is overwritten")) == of_rc11);
    CHECK(models(make_scenario<both_enter>("both enter")).by_letter);
    CHECK(models(make_scenario<both_may_look_at_their_own>("both may look at their own")).by_letter);
    CHECK(words(of_forbidden).find("[atomics.order]") != std::string::npos);
}

TEST_CASE("A memory model is not excluded by a search of it that met a bound") {
    check_models(make_scenario<both_enter_after_failures>("both enter after failures"), memory_model::tso, false);
}

TEST_CASE("A memory model is not excluded by a search of it that ended some executions at another violation") {
    search_options automatic;
    const scenario what = make_scenario<both_enter_or_race_later>("both enter or race later");
    const search_result result = graph_search(what, automatic);
    REQUIRE(result.kind == violation_kind::failed_requirement);  // it is the simpler one
    CHECK(result.models == models_of_violation{memory_model::tso, false});
    check_violated(what, violation_kind::data_race, under(memory_model::sc));
}

TEST_CASE("A search of a memory model that is cut short says so") {
    const search_result result = graph_search(make_scenario<relaxed_message_among_many>("relaxed message among many"));
    REQUIRE(result.verdict == verdict::violated);
    CHECK(result.models == models_of_violation{memory_model::rc11, false, true});
}

TEST_CASE("A violation that is replayed says in which memory models it exists") {
    for (const memory_model found_in : {memory_model::rc11, memory_model::tso}) {
        const scenario what = make_scenario<both_enter>("both enter");
        const search_result found = check_violated(what, violation_kind::failed_requirement, under(found_in));
        REQUIRE(found.replay.has_value());
        search_options how;
        how.model = found_in;
        how.replay = found.replay;
        const search_result again = graph_search(what, how);
        REQUIRE(again.verdict == verdict::violated);
        CHECK(again.models == found.models);
        CHECK(again.models == models_of_violation{memory_model::tso, true});
        how.model = memory_model::sc;  // which does not have it
        CHECK(graph_search(what, how).verdict == verdict::inconclusive);
    }
}

}  // namespace ordeal::model_tests
