// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/support/search.hpp"
#include "ordeal/scenario/scenario_builder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

template <class P>
struct ticket {
    explicit ticket(int first = 0, std::string text = {}) : next(first), name(std::move(text)) {}

    void take() {
        const int mine = next.fetch_add(1, relaxed);
        if (mine == last_seen.load(std::memory_order_acquire)) last_seen.store(mine + 1, std::memory_order_release);
    }

    typename P::template atomic<int> next;
    typename P::template atomic<int> last_seen{0};
    std::string name;  // allocated anew for each execution, and given back
    int local = 0;
};

template <int Threads>
struct typed {
    template <class P>
    struct over : ticket<P> {
        static constexpr auto threads = [] {
            std::array<const char*, Threads> result{};
            result.fill("taker");
            return result;
        }();
        over() : ticket<P>(0, "a text that is too long to be kept in the string") {}
        void run(int /*thread*/) { this->take(); }
        [[nodiscard]] int outcome() const { return this->last_seen.load(relaxed); }
    };
};

scenario made(int threads) {
    auto result =
        scenario_of<ticket>("ticket/made", 0, std::string("a text that is too long to be kept in the string"));
    for (int i = 0; i < threads; ++i) result.thread("taker", [](auto& state) { state.take(); });
    return result.outcome([](auto& state) { return state.last_seen.load(relaxed); }).made();
}

template <int Threads>
void require_same(const char* engine) {
    scenario as_class = make_scenario<typed<Threads>::template over>("ticket/typed");
    as_class.model = detail::body_of<typename typed<Threads>::template over<model_policy>>();
    const search_result expected = search(as_class, full_search(), engine);
    const search_result result = search(made(Threads), full_search(), engine);
    CAPTURE(Threads, engine, expected.message, result.message);
    CHECK(result.verdict == expected.verdict);
    CHECK(result.executions == expected.executions);
    CHECK(result.blocked == expected.blocked);
    CHECK(result.outcomes == expected.outcomes);
    CHECK(result.complete);
}

}  // namespace

TEST_CASE("a scenario made at run time has the executions of one that is a class") {
    require_same<1>("graph");
    require_same<2>("graph");
    require_same<3>("graph");
    require_same<2>("relacy");
}

TEST_CASE("the state of a scenario made at run time is new for each execution, and made of what it was given") {
    const scenario what = scenario_of<ticket>("ticket/new", 7)
                              .thread("one", [](auto& state) { state.take(); })
                              .thread("two", [](auto& state) { state.take(); })
                              .finish([](auto& state) {
                                  require(state.next.load(relaxed) == 9);
                                  require(++state.local == 1);
                              })
                              .made();
    const search_result result = search(what, full_search(), "graph");
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions > 1);
}

TEST_CASE("what a scenario made at run time does wrong is found, with an execution that shows it") {
    const scenario what =
        scenario_of<ticket>("ticket/wrong")
            .thread("one", [](auto& state) { state.take(); })
            .thread("two", [](auto& state) { require(state.next.load(relaxed) == 0, "none is taken"); })
            .made();
    const search_result result = search(what, full_search(), "graph");
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.message.find("none is taken") != std::string::npos);
    CHECK_FALSE(result.trace.empty());
}

TEST_CASE("what is said of a scenario made at run time is part of it") {
    auto builder = scenario_of<ticket>("ticket/said");
    builder.thread("a", [](auto& state) { state.take(); }).thread("b", [](auto& state) { state.take(); });
    builder.subject("tickets").about("What is said").exhibit().interchangeable({0, 1});
    builder.graded("1", grade::acceptable, "one").graded("2", grade::interesting, "two");
    const scenario what = builder.expected(violated(violation_kind::data_race)).made();
    CHECK(what.name == "ticket/said");
    CHECK(what.subject == "tickets");
    CHECK(what.about == "What is said");
    CHECK(what.exhibit);
    CHECK_FALSE(what.instrumented);
    CHECK(what.threads == std::vector<std::string>{"a", "b"});
    CHECK(what.interchangeable == std::vector<int>{0, 1});
    CHECK(what.expected.violation == violation_kind::data_race);
    REQUIRE(what.outcomes.size() == 2);
    CHECK(what.outcomes[1].outcome == "2");
    CHECK(what.outcomes[1].expected == grade::interesting);
    CHECK(what.outcomes[1].sentence == "two");
    CHECK(scenario_of<ticket>("ticket/unsaid").made().subject == "ticket");
}

TEST_CASE("a scenario made at run time runs on real threads as it runs in the model") {
    const scenario what = made(2);
    const std::unique_ptr<void, decltype(&std::free)> storage(std::aligned_alloc(64, 1024), &std::free);
    REQUIRE(what.real.size <= 1024);
    for (int execution = 0; execution < 2; ++execution) {
        what.real.build(storage.get());
        what.real.run(storage.get(), 0);
        what.real.run(storage.get(), 1);
        what.real.finish(storage.get());
        CHECK(what.real.outcome(storage.get()) == "2");
        what.real.destroy(storage.get());
    }
}

}  // namespace ordeal::model_tests
