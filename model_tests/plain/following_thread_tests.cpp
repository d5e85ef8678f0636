// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More threads than there are ids, one after the other. That the programs hold, or are found to be wrong,
// program_tests.cpp shows of them as of all programs.
#include "model_tests/support/search.hpp"

#include "ordeal/engine/graph/core/state/thread_tree.hpp"
#include "ordeal/runtime/trace.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view engine_name = "graph";

// While it exists, threads follow others as soon as they can.
class following_at_once {
public:
    following_at_once() : before_(graph::thread_tree::ids_given_once) { graph::thread_tree::ids_given_once = 1; }
    ~following_at_once() { graph::thread_tree::ids_given_once = before_; }
    following_at_once(const following_at_once&) = delete;
    following_at_once& operator=(const following_at_once&) = delete;

private:
    int before_;
};

}  // namespace

TEST_CASE("A hundred and a thousand threads one after the other are one execution") {
    for (const std::string_view name : {"programs/following_100", "programs/following_1000"}) {
        const search_result full = search(registered(name), full_search(), engine_name);
        CAPTURE(name, full.message);
        CHECK(full.verdict == verdict::held);
        CHECK(full.executions == 1);
        const search_result random = search(registered(name), random_search(5, 1), engine_name);
        CHECK(random.verdict == verdict::held_within);
        CHECK(random.executions == 5);
    }
}

TEST_CASE("64 threads at once are one execution of independent stores") {
    const search_result full = search(registered("programs/threads_64_at_once"), full_search(), engine_name);
    CAPTURE(full.message);
    CHECK(full.verdict == verdict::held);
    CHECK(full.executions == 1);
    const search_result random = search(registered("programs/threads_64_at_once"), random_search(5, 1), engine_name);
    CHECK(random.verdict == verdict::held_within);
    CHECK(random.executions == 5);
}

TEST_CASE("Fifty threads of each of two creators have the executions of two") {
    const search_result few = search(registered("programs/following_two_that_create_few"), full_search(), engine_name);
    const search_result many = search(registered("programs/following_two_that_create"), full_search(), engine_name);
    CAPTURE(few.message, many.message);
    CHECK(many.verdict == verdict::held);
    CHECK(many.executions == few.executions);
    CHECK(many.outcomes == few.outcomes);
}

TEST_CASE("Programs whose threads follow others have the executions of those whose threads have ids of their own") {
    search_options how = full_search();
    how.reductions.symmetry = false;
    how.resources.seconds = 2;
    std::vector<const scenario*> all;
    for (const scenario& each : scenarios()) {
        const bool chosen = each.name.starts_with("programs/e") || each.name.starts_with("programs/m") ||
                            each.name.starts_with("first_threads/");
        if (chosen && !each.name.starts_with("programs/following_")) all.push_back(&each);
    }
    REQUIRE_FALSE(all.empty());
    const std::vector<search_result> apart = search_each(all, how, engine_name);
    const following_at_once following;
    const std::vector<search_result> one = search_each(all, how, engine_name);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(all[i]->name, apart[i].message, one[i].message);
        if (apart[i].kind) CHECK(one[i].kind == apart[i].kind);
        if (!apart[i].complete || !one[i].complete) continue;
        ++compared;
        CHECK(one[i].verdict == apart[i].verdict);
        CHECK(one[i].executions == apart[i].executions);
        CHECK(one[i].outcomes == apart[i].outcomes);
    }
    CHECK(compared > 40);
}

TEST_CASE("What is found in the hundredth thread is shown as its own, and again by the token") {
    const scenario& what = registered("programs/following_wrong_at_last");
    for (const search_mode mode : {search_mode::automatic, search_mode::random, search_mode::pct}) {
        search_options how;
        how.strategy.mode = mode;
        if (mode != search_mode::automatic) how.strategy.bound = 200;
        how.strategy.seed = 1;
        const search_result found = search(what, how, engine_name);
        CAPTURE(static_cast<int>(mode), found.message);
        REQUIRE(found.kind == violation_kind::failed_requirement);
        REQUIRE(found.replay.has_value());
        std::set<int> counted;
        for (const trace_step& step : found.trace) {
            if (step.thread > 0) counted.insert(step.thread);
        }
        CHECK(counted.size() > 71);
        search_options again;
        again.replay = found.replay;
        const search_result shown = search(what, again, engine_name);
        CHECK(shown.kind == found.kind);
        CHECK(shown.message == found.message);
        REQUIRE_FALSE(shown.trace.empty());
        CHECK(shown.trace.size() == found.trace.size());
    }
}

TEST_CASE("A search with threads that follow others is shared by processes") {
    search_options how = full_search();
    how.reductions.wake_ups = false;
    const search_result alone = search(registered("programs/following_notified_in_turn"), how, engine_name);
    how.resources.jobs = 2;
    const search_result shared = search(registered("programs/following_notified_in_turn"), how, engine_name);
    CHECK(alone.verdict == shared.verdict);
    CHECK(alone.executions == shared.executions);
    CHECK(alone.blocked == shared.blocked);
    CHECK(alone.executions + alone.blocked > 1);
}

TEST_CASE("Tokens show the same whether threads have ids of their own or follow others") {
    const scenario& what = registered("programs/following_wrong_in_third_round");
    const auto shows_the_same = [&](const search_result& found) {
        search_options again;
        again.replay = found.replay;
        const search_result shown = search(what, again, engine_name);
        CAPTURE(shown.message);
        CHECK(shown.kind == violation_kind::failed_requirement);
        CHECK(shown.message == found.message);
    };
    const search_result apart = search(what, {}, engine_name);
    CAPTURE(apart.message);
    REQUIRE(apart.replay.has_value());
    CHECK(apart.replay->text.find('n') == std::string::npos);
    search_result one;
    {
        const following_at_once following;
        one = search(what, {}, engine_name);
        REQUIRE(one.replay.has_value());
        CHECK(one.replay->text.find("cn") != std::string::npos);
        shows_the_same(one);
        shows_the_same(apart);
    }
    shows_the_same(one);
    shows_the_same(apart);
}

}  // namespace ordeal::model_tests
