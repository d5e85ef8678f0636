// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site is a place and a declared order: what is passed its order, or stands in a macro, is as many sites as it has orders.
#include "model_tests/litmus/litmus.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

namespace ordeal::model_tests {

using namespace detail;

namespace {

#define ORDEAL_TWO_STORES(x, y) (x).store(1, std::memory_order_release), (y).store(1, std::memory_order_relaxed)

#define ORDEAL_ADD_AND_OR(x) \
    (void)(x).fetch_add(2, std::memory_order_relaxed), (void)(x).fetch_or(1, std::memory_order_relaxed)

template <std::memory_order Order, class Atomic>
void put_with(Atomic& atomic) {
    atomic.store(1, Order);
}
template <class Atomic>
void put(Atomic& atomic, std::memory_order order) {
    atomic.store(1, order);
}

// One thread publishes `data` by `flag`, and stores to `other`.
template <class P>
struct publishes {
    static constexpr auto threads = std::array{"writer", "reader"};
    typename P::template atomic<int> other{0};
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> data{0};
    int seen = 0;

    void read() {
        if (flag.load(std::memory_order_acquire) == 1) seen = data.read();
    }
};

template <class P>
struct by_parameter : publishes<P> {
    void run(int thread) {
        if (thread == 1) return this->read();
        put(this->other, std::memory_order_release);
        this->data.write() = 1;
        put(this->flag, std::memory_order_relaxed);
    }
};

template <class P>
struct by_template_argument : publishes<P> {
    void run(int thread) {
        if (thread == 1) return this->read();
        put_with<std::memory_order_release>(this->other);
        this->data.write() = 1;
        put_with<std::memory_order_relaxed>(this->flag);
    }
};

template <class P>
struct by_macro : publishes<P> {
    void run(int thread) {
        if (thread == 1) return this->read();
        this->data.write() = 1;
        ORDEAL_TWO_STORES(this->other, this->flag);
    }
};

template <class P>
struct by_fence : publishes<P> {
    void run(int thread) {
        if (thread == 1) return this->read();
        for (const auto order : {std::memory_order_release, std::memory_order_relaxed}) {
            if (order == std::memory_order_relaxed) this->data.write() = 1;
            P::fence(order);
        }
        this->flag.store(1, std::memory_order_relaxed);
    }
};

template <class P>
struct by_failure : publishes<P> {
    void run(int thread) {
        if (thread == 0) {
            this->data.write() = 1;
            this->flag.store(1, std::memory_order_release);
            return;
        }
        int last = 0;
        for (const auto failure : {std::memory_order_acquire, std::memory_order_relaxed}) {
            auto& atomic = failure == std::memory_order_acquire ? this->other : this->flag;
            int expected = 7;
            (void)atomic.compare_exchange_strong(expected, 8, std::memory_order_relaxed, failure);
            last = expected;
        }
        if (last == 1) this->seen = this->data.read();
    }
};

// Right: it is the first order met that is relaxed.
template <class P>
struct the_right_way_round : publishes<P> {
    void run(int thread) {
        if (thread == 1) return this->read();
        put(this->other, std::memory_order_relaxed);
        this->data.write() = 1;
        put(this->flag, std::memory_order_release);
    }
};

template <class P>
struct two_names : publishes<P> {
    void run(int thread) {
        if (thread == 0) ORDEAL_ADD_AND_OR(this->flag);
        if (thread == 1) (void)this->flag.load(std::memory_order_relaxed);
    }
};

const std::array engines{"graph", "relacy"};

site_key place_of_store(const search_result& result) {
    const auto found =
        std::ranges::find_if(result.sites, [](const reached_site& each) { return each.where.key.what == role::store; });
    REQUIRE(found != result.sites.end());
    return found->where.key;
}

}  // namespace

TEST_CASE("The order of a call is the one that it is passed, also where another one came first at its place") {
    for (const scenario& what :
         {make_scenario<by_parameter>("by parameter"), make_scenario<by_template_argument>("by template argument"),
          make_scenario<by_macro>("by macro"), make_scenario<by_fence>("by fence"),
          make_scenario<by_failure>("by failure")}) {
        for (const char* const engine : engines) {
            const search_result result = search(what, {}, engine);
            CAPTURE(what.name, engine, result.message);
            CHECK(result.verdict == verdict::violated);
            CHECK(result.kind == violation_kind::data_race);
        }
    }
    for (const char* const engine : engines) {
        const search_result right = search(make_scenario<the_right_way_round>("the right way round"), {}, engine);
        CAPTURE(engine, right.message);
        CHECK((right.verdict == verdict::held || right.verdict == verdict::held_within));
    }
}

TEST_CASE("An override is of one order at its place, and must say which when there are several") {
    const scenario what = make_scenario<the_right_way_round>("the right way round");
    for (const char* const engine : engines) {
        CAPTURE(engine);
        const search_result plain = search(what, {}, engine);
        const site_key place = place_of_store(plain);
        CHECK(std::ranges::count(plain.sites, place, [](const reached_site& each) { return each.where.key; }) == 2);
        search_options how;
        how.mutant.overrides = {{place, order::relaxed, order::release}};
        const search_result weaker = search(what, how, engine);
        CHECK(weaker.kind == violation_kind::data_race);
        how.mutant.overrides = {{place, order::release, order::relaxed}};
        const search_result stronger = search(what, how, engine);
        CHECK(stronger.verdict == plain.verdict);
        CHECK(stronger.executions == plain.executions);
        how.mutant.overrides = {{place, order::seq_cst}};
        const search_result ambiguous = search(what, how, engine);
        CHECK(ambiguous.verdict == verdict::inconclusive);
        CHECK(ambiguous.message.find("it must say which") != std::string::npos);
        how.mutant.overrides = {{place, order::relaxed, order::seq_cst}};
        const search_result nobody = search(what, how, engine);
        CHECK(nobody.verdict == verdict::inconclusive);
        CHECK(nobody.message.find("no execution reached") != std::string::npos);
    }
}

TEST_CASE("A search says whose writes were read at a site by another thread") {
    for (const unsigned jobs : {1U, 2U}) {
        search_options how = full_search();
        how.resources.jobs = jobs;
        const search_result result = search(make_scenario<the_right_way_round>("the right way round"), how, "graph");
        for (const reached_site& each : result.sites) {
            CAPTURE(to_string(each.where.key), to_string(each.where.declared), jobs);
            if (each.where.key.what == role::store) {
                CHECK(each.writers.empty());
                CHECK(each.crossed == (each.where.declared == order::release));
            } else {
                REQUIRE(each.writers.size() == 1);  // the flag is read, the other atomic is not
                CHECK(each.writers[0].key == place_of_store(result));
                CHECK(each.writers[0].declared == order::release);
            }
        }
    }
}

TEST_CASE("Two operations of one place and order keep their names") {
    const search_result result = search(make_scenario<two_names>("two names"), full_search(), "graph");
    for (const char* const name : {"fetch_add", "fetch_or"}) {
        CHECK(std::ranges::count(result.sites, name, [](const reached_site& each) { return each.where.operation; }) ==
              1);
    }
}

}  // namespace ordeal::model_tests
