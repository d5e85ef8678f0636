// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An override may add a fence before or after the operation at a site: the code is then searched as if the fence stood
// there in the source, by each engine.
#include "model_tests/litmus/programs.hpp"

#include "ordeal/engine/persistence/replay_token.hpp"
#include "ordeal/engine/threads/thread_engine.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto before = override_position::before;
constexpr auto after = override_position::after;

const std::array engines{"graph", "relacy"};

bool holds(const search_result& result) {
    return result.verdict == verdict::held || result.verdict == verdict::held_within;
}

// The one site of this operation in a function.
order_override fence_at(const search_result& of, std::string_view function, std::string_view operation, role what,
                        override_position where, order with = order::seq_cst) {
    std::vector<site_key> found;
    for (const reached_site& each : of.sites) {
        if (each.where.function == function && each.where.operation == operation && each.where.key.what == what) {
            found.push_back(each.where.key);
        }
    }
    CAPTURE(function, operation, to_string(what));
    REQUIRE(found.size() == 1);
    return {found.front(), with, std::nullopt, where};
}

// Each thread stores to one atomic and then loads the other's.
template <class P>
struct buffers {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};
    int seen_y = 1;
    int seen_x = 1;

    void finish() { require(seen_y == 1 || seen_x == 1, "one of them sees the other's store"); }
    [[nodiscard]] std::string outcome() const { return std::to_string(seen_y) + std::to_string(seen_x); }
};

template <class P>
struct relaxed_buffers : buffers<P> {
    void first() {
        this->x.store(1, relaxed);
        this->seen_y = this->y.load(relaxed);
    }
    void second() {
        this->y.store(1, relaxed);
        this->seen_x = this->x.load(relaxed);
    }
    void run(int thread) { thread == 0 ? first() : second(); }
};

template <class P>
struct fenced_buffers : buffers<P> {
    void first() {
        this->x.store(1, relaxed);
        P::fence(seq_cst);
        this->seen_y = this->y.load(relaxed);
    }
    void second() {
        this->y.store(1, relaxed);
        P::fence(seq_cst);
        this->seen_x = this->x.load(relaxed);
    }
    void run(int thread) { thread == 0 ? first() : second(); }
};

// Between its store and its load each thread does something else, with an atomic of its own.
template <class P>
struct with_another_operation : buffers<P> {
    typename P::template atomic<int> own[2] = {};

    template <class Operation>
    void run_with(int thread, Operation operation) {
        (thread == 0 ? this->x : this->y).store(1, relaxed);
        operation(own[thread]);
        (thread == 0 ? this->seen_y : this->seen_x) = (thread == 0 ? this->y : this->x).load(relaxed);
    }
    static void exchange_if(typename P::template atomic<int>& atomic, int expected) {
        (void)atomic.compare_exchange_strong(expected, 1, relaxed, relaxed);
    }
    static void exchange_weakly_if(typename P::template atomic<int>& atomic, int expected) {
        (void)atomic.compare_exchange_weak(expected, 1, relaxed, relaxed);
    }
};

enum class other : std::uint8_t { load, store, exchange, fetch, wait, fence, stores, fails, weak, weak_fails };

template <other Which>
struct beside {
    template <class P>
    struct test : with_another_operation<P> {
        static void operate(typename P::template atomic<int>& own) {
            if constexpr (Which == other::load) (void)own.load(relaxed);
            if constexpr (Which == other::store) own.store(1, relaxed);
            if constexpr (Which == other::exchange) (void)own.exchange(1, relaxed);
            if constexpr (Which == other::fetch) (void)own.fetch_add(1, relaxed);
            if constexpr (Which == other::wait) own.wait(1, relaxed);
            if constexpr (Which == other::fence) P::fence(relaxed);
            if constexpr (Which == other::stores) test::exchange_if(own, 0);
            if constexpr (Which == other::fails) test::exchange_if(own, 7);
            if constexpr (Which == other::weak) test::exchange_weakly_if(own, 0);
            if constexpr (Which == other::weak_fails) test::exchange_weakly_if(own, 7);
        }
        void run(int thread) { this->run_with(thread, operate); }
    };
};

struct operation_beside {
    scenario what;
    std::string function;
    std::string operation;
    std::vector<role> roles;
};

std::vector<operation_beside> operations_beside() {
    const std::vector both{role::success, role::failure};
    return {{make_scenario<beside<other::load>::test>("load"), "operate", "load", {role::load}},
            {make_scenario<beside<other::store>::test>("store"), "operate", "store", {role::store}},
            {make_scenario<beside<other::exchange>::test>("exchange"), "operate", "exchange", {role::exchange}},
            {make_scenario<beside<other::fetch>::test>("fetch_add"), "operate", "fetch_add", {role::fetch}},
            {make_scenario<beside<other::wait>::test>("wait"), "operate", "wait", {role::load}},
            {make_scenario<beside<other::fence>::test>("fence"), "operate", "fence", {role::fence}},
            {make_scenario<beside<other::stores>::test>("stores"), "exchange_if", "compare_exchange_strong", both},
            {make_scenario<beside<other::fails>::test>("fails"), "exchange_if", "compare_exchange_strong", both},
            {make_scenario<beside<other::weak>::test>("weak"), "exchange_weakly_if", "compare_exchange_weak", both},
            {make_scenario<beside<other::weak_fails>::test>("weak, fails"), "exchange_weakly_if",
             "compare_exchange_weak", both}};
}

template <class P>
struct publishes {
    static constexpr auto threads = std::array{"writer", "reader"};
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> data{0};

    void write() {
        data.write() = 1;
        flag.store(1, relaxed);
    }
    void read() {
        if (flag.load(relaxed) == 1) (void)data.read();
    }
    void run(int thread) { thread == 0 ? write() : read(); }
};

template <class P>
struct publishes_to_a_loop : publishes<P> {
    void read() {
        while (this->flag.load(relaxed) == 0) {
        }
        (void)this->data.read();
    }
    void run(int thread) { thread == 0 ? this->write() : read(); }
};

const trace_step* added_step(const trace& steps) {
    const auto found = std::ranges::find(steps, "added for this search", &trace_step::note);
    return found == steps.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("Store buffering with relaxed accesses holds with two added fences, and not with one") {
    const scenario what = make_scenario<relaxed_buffers>("relaxed buffers");
    for (const char* const engine : engines) {
        const search_result plain = search(what, {}, engine);
        CAPTURE(engine);
        CHECK(plain.kind == violation_kind::failed_requirement);
        for (const override_position first : {before, after}) {
            for (const override_position second : {before, after}) {
                const auto in = [&](const char* function, override_position where) {
                    return where == before ? fence_at(plain, function, "load", role::load, where)
                                           : fence_at(plain, function, "store", role::store, where);
                };
                search_options how;
                how.mutant.overrides = {in("first", first)};
                CHECK(search(what, how, engine).kind == violation_kind::failed_requirement);
                how.mutant.overrides.push_back(in("second", second));
                const search_result both = search(what, how, engine);
                CAPTURE(both.message);
                CHECK(holds(both));
                how.mutant.overrides[1].replacement = order::acq_rel;
                CHECK(search(what, how, engine).kind == violation_kind::failed_requirement);
            }
        }
    }
}

TEST_CASE("An added fence is searched as one in the source is, execution by execution") {
    const scenario what = make_scenario<relaxed_buffers>("relaxed buffers");
    search_options how = full_search();
    const search_result plain = search(what, how, "graph");
    for (const char* const function : {"first", "second"}) {
        how.mutant.overrides.push_back(fence_at(plain, function, "store", role::store, after));
    }
    const search_result added = search(what, how, "graph");
    const search_result written = search(make_scenario<fenced_buffers>("fenced buffers"), full_search(), "graph");
    CHECK(added.verdict == verdict::held);
    CHECK(written.verdict == verdict::held);
    CHECK(added.executions == written.executions);
    CHECK(added.blocked == written.blocked);
    CHECK(added.outcomes == written.outcomes);
}

TEST_CASE("Every operation can be given a fence before and after it, a compare-exchange whatever comes of it") {
    for (const operation_beside& each : operations_beside()) {
        for (const char* const engine : engines) {
            CAPTURE(each.what.name, engine);
            const search_result plain = search(each.what, {}, engine);
            CHECK(plain.kind == violation_kind::failed_requirement);
            for (const role what : each.roles) {
                for (const override_position where : {before, after}) {
                    search_options how;
                    how.mutant.overrides = {fence_at(plain, each.function, each.operation, what, where)};
                    const search_result fenced = search(each.what, how, engine);
                    CAPTURE(to_string(how.mutant.overrides[0]), fenced.message);
                    CHECK(holds(fenced));
                }
            }
        }
    }
}

TEST_CASE("Added fences publish with relaxed accesses as release and acquire fences do, in a loop too") {
    for (const scenario& what :
         {make_scenario<publishes>("publishes"), make_scenario<publishes_to_a_loop>("publishes to a loop")}) {
        for (const char* const engine : engines) {
            // Relacy reads the old value for ever.
            if (what.name == "publishes to a loop" && engine != engines.front()) continue;
            CAPTURE(what.name, engine);
            const search_result plain = search(what, {}, engine);
            CHECK(plain.kind == violation_kind::data_race);
            const auto publish = fence_at(plain, "write", "store", role::store, before, order::release);
            const auto receive = fence_at(plain, "read", "load", role::load, after, order::acquire);
            search_options how;
            how.mutant.overrides = {publish};
            CHECK(search(what, how, engine).kind == violation_kind::data_race);
            how.mutant.overrides = {receive};
            CHECK(search(what, how, engine).kind == violation_kind::data_race);
            how.mutant.overrides = {publish, receive};
            const search_result both = search(what, how, engine);
            CAPTURE(both.message);
            CHECK(holds(both));
            // On the wrong side of its operation a fence does nothing for it.
            how.mutant.overrides[0].position = after;
            CHECK(search(what, how, engine).kind == violation_kind::data_race);
        }
    }
}

TEST_CASE("A violation with an added fence replays in another process from its token, and its trace shows the fence") {
    const scenario what = make_scenario<relaxed_buffers>("relaxed_buffers");
    for (const char* const engine : engines) {
        CAPTURE(engine);
        search_options how;
        how.mutant.overrides = {fence_at(search(what, {}, engine), "first", "load", role::load, before)};
        const search_result found = search(what, how, engine);
        REQUIRE(found.replay.has_value());
        const auto token = to_text({engine, what.name, how.mutant.overrides, *found.replay});
        REQUIRE(token.has_value());
        CHECK(token->find(".load+seq_cst-before:") != std::string::npos);
        const auto parsed = parse_token(*token);
        REQUIRE(parsed.token.has_value());
        CHECK(parsed.token->overrides == how.mutant.overrides);
        search_options again;
        again.mutant.overrides = parsed.token->overrides;
        again.replay = parsed.token->path;
        const search_result replayed = search(what, again, engine);
        CHECK(replayed.kind == violation_kind::failed_requirement);
        const trace_step* const step = added_step(replayed.trace);
        REQUIRE(step != nullptr);
        CHECK(step->operation == "fence");
        CHECK(step->using_order == order::seq_cst);
        CHECK(step->where.key == how.mutant.overrides[0].site);
        CHECK_FALSE(step->overridden);
        const trace_step* const next = step + 1;
        REQUIRE(next != replayed.trace.data() + replayed.trace.size());
        CHECK(next->operation == "load");
    }
}

TEST_CASE("A fence at a site that no execution reaches makes no verdict") {
    for (const char* const engine : engines) {
        const scenario what = make_scenario<fenced_buffers>("fenced buffers");
        search_options how;
        how.mutant.overrides = {{{"no/such/file.hpp", 1, 1, role::load}, order::seq_cst, std::nullopt, before}};
        const search_result result = search(what, how, engine);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message ==
              "no execution reached the site of the override no/such/file.hpp@1.1.load+seq_cst-before");
    }
}

TEST_CASE("Real threads refuse an override that adds a fence, before they run") {
    search_options how;
    how.strategy.bound = 1;
    how.mutant.overrides = {{{"src/flag.hpp", 1, 1, role::load}, order::seq_cst, std::nullopt, after}};
    search_progress progress;
    const search_result result = thread_engine().search(registered("event/is_set_publishes"), how, progress);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.executions == 0);
    CHECK(result.message == "real threads cannot be given a fence that is not in the code");
}

}  // namespace ordeal::model_tests
