// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executions that are run again from the text of their choices.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/support/same_trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

enum class variant : std::uint8_t { broken, fixed, with_a_fence, shorter };

// The fixed one has the same operations in other orders, the last two have an operation more or less.
template <variant Which>
struct violated_by_a_stale_value {
    template <class P>
    struct test {
        static constexpr auto publishing = Which == variant::fixed ? release : relaxed;
        static constexpr auto observing = Which == variant::fixed ? acquire : relaxed;
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template atomic<int> y{0};

        void run(int thread) {
            if (thread == 0) {
                x.store(1, relaxed);
                if (Which == variant::with_a_fence) P::fence(release);
                if (Which != variant::shorter) y.store(1, publishing);
            } else if (y.load(observing) == 1) {
                require(x.load(relaxed) == 1, "what was stored first is seen first");
            }
        }
    };
};

template <variant Which>
struct violated_by_store_buffering {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        static constexpr auto using_order = Which == variant::fixed ? seq_cst : relaxed;
        std::array<typename P::template atomic<int>, 2> x{};
        std::array<int, 2> seen{};

        void run(int thread) {
            const auto me = static_cast<std::size_t>(thread);
            x[me].store(1, using_order);
            seen[me] = x[1 - me].load(using_order);
        }
        void finish() { require(seen[0] + seen[1] > 0, "one of them sees the other's"); }
    };
};

// What is read was overwritten before in the run, as the first thread runs to its end.
template <class P>
struct violated_in_between {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        if (thread == 1) return require(x.load(relaxed) != 1, "nobody comes between");
        for (const int value : {1, 2, 3}) x.store(value, relaxed);
    }
};

template <class P>
struct begins_with_an_exchange {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        int seen = 0;
        (void)x.compare_exchange_weak(seen, thread + 1, relaxed, relaxed);
    }
};

template <class P>
struct does_nothing {
    static constexpr auto threads = std::array{"only"};
    void run(int) {}
};

// The last of forty is of this order.
template <std::memory_order Last>
struct many_writes {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"only"};
        typename P::template atomic<int> x{0};
        void run(int) {
            for (int i = 1; i < 40; ++i) x.store(i, relaxed);
            x.store(40, Last);
            require(x.load(relaxed) == 0, "nothing was stored");
        }
    };
};

search_result replay(const scenario& what, const std::string& text, search_options how = full_search()) {
    how.replay = choices{text};
    return graph_search(what, how);
}

}  // namespace

TEST_CASE("Choices that cannot be read are inconclusive") {
    const scenario what = make_scenario<violated_by_a_stale_value<variant::broken>::test>("violated by a stale value");
    for (const char* text : {"ar", "full.01", "ar1", "?", "ar0\n"}) {
        CAPTURE(text);
        const search_result result = replay(what, text);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.find("cannot be read") != std::string::npos);
        CHECK(result.trace.empty());
    }
}

TEST_CASE("Choices of another program are inconclusive, and the message says where the two part ways") {
    const scenario what = make_scenario<violated_by_a_stale_value<variant::broken>::test>("violated by a stale value");
    const search_result found = check_violated(what, violation_kind::failed_requirement);
    const auto check = [&](const scenario& other, const char* first, const char* second) {
        const search_result result = replay(other, found.replay->text);
        CAPTURE(other.name, found.replay->text, result.message);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.find("does not fit this program") != std::string::npos);
        CHECK(result.message.find(first) != std::string::npos);
        CHECK(result.message.find(second) != std::string::npos);
        CHECK_FALSE(result.kind.has_value());
        CHECK(result.trace.empty());
    };
    check(make_scenario<violated_by_a_stale_value<variant::with_a_fence>::test>("with a fence"),
          "second operation is a fence at model_tests/graph/replay_tests.cpp:", ", the token has a write there");
    check(make_scenario<does_nothing>("does nothing"), "it has a thread that this program does not have", "");
    check(make_scenario<begins_with_an_exchange>("begins with an exchange"),
          "first operation is a compare_exchange_weak at ", ", the token has a write there");
    check(make_scenario<violated_by_a_stale_value<variant::shorter>::test>("shorter"),
          "ends before its second operation", ", the token has a write there");
}

TEST_CASE("An execution that the orders have ruled out since then is inconclusive, and no violation") {
    const auto check = [](const scenario& broken, const scenario& fixed, const char* changed) {
        const search_result found = check_violated(broken, violation_kind::failed_requirement);
        REQUIRE(graph_search(fixed).verdict == verdict::held);
        const search_result result = replay(fixed, found.replay->text);
        CAPTURE(fixed.name, result.message, to_string(result.verdict));
        CHECK(result.verdict == verdict::inconclusive);
        CHECK_FALSE(result.kind.has_value());
        CHECK(result.message.find("the memory model does not allow") != std::string::npos);
        CHECK(result.message.find("the code has changed since the token was printed") != std::string::npos);
        // Which operation is another one, not only that one is.
        CHECK(result.message.find(changed) != std::string::npos);
        // A token without marks, as earlier versions printed them.
        const std::string old = found.replay->text.substr(0, found.replay->text.find('~'));
        CHECK(replay(broken, old).kind == violation_kind::failed_requirement);
        CHECK(replay(fixed, old).message.find("the code has changed, or is not deterministic") != std::string::npos);
    };
    check(make_scenario<violated_by_a_stale_value<variant::broken>::test>("stale value"),
          make_scenario<violated_by_a_stale_value<variant::fixed>::test>("no stale value"),
          "store release at model_tests/graph/replay_tests.cpp:");
    check(make_scenario<violated_by_store_buffering<variant::broken>::test>("store buffering"),
          make_scenario<violated_by_store_buffering<variant::fixed>::test>("no store buffering"),
          "first operation, store seq_cst at model_tests/graph/replay_tests.cpp:");
}

TEST_CASE("An execution that code with other orders has, too, is run, and the change is named") {
    const scenario what = make_scenario<violated_by_store_buffering<variant::broken>::test>("store buffering");
    const scenario other = make_scenario<violated_by_store_buffering<variant::fixed>::test>("no store buffering");
    const search_result found = check_violated(what, violation_kind::failed_requirement);
    // Of the same token an execution that both have: all that is read is what was stored first.
    const std::string marks = found.replay->text.substr(found.replay->text.find('~'));
    const search_result result = replay(other, "aw1ar0bw1br1" + marks);
    CAPTURE(found.replay->text, result.message);
    CHECK(result.verdict == verdict::held_within);
    CHECK(names_limit(result, "the code has changed since the token was printed"));
    CHECK_FALSE(names_limit(replay(what, found.replay->text), "the code has changed"));
}

TEST_CASE("A long execution has no more than sixteen marks") {
    const scenario what = make_scenario<many_writes<relaxed>::test>("many writes");
    const search_result found = check_violated(what, violation_kind::failed_requirement);
    const std::string text = found.replay->text;
    CAPTURE(text);
    CHECK(text.size() - text.find('~') - 1 == 16);
    CHECK_FALSE(names_limit(replay(what, text), "the code has changed"));
    const search_result changed = replay(make_scenario<many_writes<release>::test>("many writes"), text);
    CHECK(changed.kind == violation_kind::failed_requirement);
    CHECK(names_limit(changed, "the code has changed since the token was printed, somewhere from only's "));
}

TEST_CASE("Choices that no execution of the program has are inconclusive") {
    const scenario what = make_scenario<violated_by_a_stale_value<variant::broken>::test>("violated by a stale value");
    // A read that waits for a write of its own future; coherence without a first place; a thread that is not there.
    for (const char* text : {"br2bw1", "aw2aw2", "aw5", "cr0", "aw1aw1br2br1br0"}) {
        CAPTURE(text);
        const search_result result = replay(what, text);
        CAPTURE(result.message, to_string(result.verdict));
        CHECK(result.verdict == verdict::inconclusive);
    }
}

TEST_CASE("The empty choices run the execution that takes the first choice each time") {
    const search_result result =
        replay(make_scenario<violated_by_a_stale_value<variant::broken>::test>("violated by a stale value"), "");
    CHECK(result.verdict == verdict::held_within);
    CHECK(result.executions == 1);
    CHECK(result.complete);
    CHECK(names_limit(result, "one execution"));
    CHECK_FALSE(result.trace.empty());
}

TEST_CASE("Steps of an execution of sequential consistency are shown so that each read reads the newest write") {
    const search_result found =
        check_violated(make_scenario<violated_in_between>("violated in between"), violation_kind::failed_requirement);
    const auto is_read = [](const trace_step& each) { return each.operation == "load"; };
    const auto read = std::ranges::find_if(found.trace, is_read);
    REQUIRE(read != found.trace.end());
    REQUIRE(read != found.trace.begin());
    CHECK_FALSE(read->stale);
    const trace_step& before = *std::prev(read);
    CHECK(before.after == read->before);
    CHECK(read->reads_from == before.index);
    CHECK(before.index + 1 < read->index);  // the run had other steps there
}

TEST_CASE("Each violated exhibit is violated in the same way, with the same trace, when it is run again") {
    std::size_t replayed = 0;
    for (const scenario& what : scenarios()) {
        if (!what.exhibit || !what.expected.violation) continue;
        CAPTURE(what.name);
        search_options how;
        how.resources.seconds = 5;
        const search_result found = graph_search(what, how);
        REQUIRE(found.verdict == verdict::violated);
        REQUIRE(found.replay.has_value());
        CAPTURE(found.replay->text, found.message);
        const search_result again = replay(what, found.replay->text, how);
        CHECK(again.verdict == verdict::violated);
        CHECK(again.kind == found.kind);
        CHECK(again.message == found.message);
        CHECK(again.replay == found.replay);
        CHECK(again.executions == 1);
        CHECK(same_trace(again.trace, found.trace));
        ++replayed;
    }
    CHECK(replayed > 20);
}

}  // namespace ordeal::model_tests
