// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an order is for: whether two threads meet at its operation, and whether what it orders are accesses that conflict.
#include "model_tests/support/search.hpp"

#include "ordeal/audit/audit.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

search_result search_for_handovers(const scenario& what) {
    search_options how = full_search();
    how.wanted.used_orders = true;
    return search(what, how, "graph");
}

const reached_site& site_in(const search_result& result, std::string_view function, role what) {
    const auto found = std::ranges::find_if(result.sites, [&](const reached_site& each) {
        return each.where.function == function && each.where.key.what == what;
    });
    REQUIRE(found != result.sites.end());
    return *found;
}

// A queue of two places for one producer and one consumer. Only where it is filled a third time does a place change hands twice.
template <class P, int Count>
struct ring {
    static constexpr auto threads = std::array{"producer", "consumer"};
    std::array<typename P::template cell<int>, 2> places{};
    typename P::template atomic<int> begin{0};
    typename P::template atomic<int> end{0};

    void push(int value) {
        const int last = end.load(relaxed);
        if (last - begin.load(acquire) == 2) return;
        places[static_cast<std::size_t>(last % 2)].write() = value;
        end.store(last + 1, release);
    }
    void pop() {
        const int first = begin.load(relaxed);
        if (end.load(acquire) == first) return;
        (void)places[static_cast<std::size_t>(first % 2)].read();
        begin.store(first + 1, release);
    }
    void run(int thread) {
        if (thread == 1) return pop();
        for (int i = 0; i < Count; ++i) push(i);
    }
};
template <class P>
using ring_filled_twice = ring<P, 2>;
template <class P>
using ring_filled_again = ring<P, 3>;

// The stores of the threads are read when all of them are over.
template <class P>
struct read_at_the_end {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template cell<int> data{0};
    typename P::template atomic<int> done{0};
    typename P::template atomic<int> others{0};

    void put() {
        data.write() = 1;
        done.store(1, release);
    }
    void meet() { others.fetch_add(1, relaxed); }
    void run(int thread) {
        meet();
        if (thread == 0) put();
    }
    void look() { require(done.load(acquire) == 1); }
    void finish() { look(); }
};

// The same, and another thread looks while it runs.
template <class P>
struct read_meanwhile : read_at_the_end<P> {
    void run(int thread) {
        if (thread == 0) this->put();
        if (thread == 1 && this->done.load(acquire) == 1) (void)this->data.read();
    }
};

template <class P>
struct fenced {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template cell<int> data{0};
    typename P::template atomic<int> flag{0};

    void put() {
        data.write() = 1;
        P::fence(release);
        flag.store(1, relaxed);
    }
    void get() {
        if (flag.load(relaxed) == 0) return;
        P::fence(acquire);
        (void)data.read();
    }
    void run(int thread) { thread == 0 ? put() : get(); }
};

audited_subject audited(const scenario& what) {
    audit_options options;
    const auto with = std::ranges::find(engines(), std::string_view("graph"), &engine::name);
    REQUIRE(with != engines().end());
    options.with = *with;
    options.search = full_search();
    const scenario* const only = &what;
    return run_audit({&only, 1}, options, nullptr).subjects.at(0);
}

const audited_site& audited_in(const audited_subject& subject, std::string_view function, role what, order declared) {
    const auto found = std::ranges::find_if(subject.sites, [&](const audited_site& each) {
        return each.where.function == function && each.where.key.what == what && each.where.declared == declared;
    });
    REQUIRE(found != subject.sites.end());
    return *found;
}

scenario named(scenario what) {
    what.subject = "made_up";
    what.exhibit = true;
    return what;
}

}  // namespace

TEST_CASE("Threads that are joined before a store is read do not meet there") {
    const search_result ended = search_for_handovers(make_scenario<read_at_the_end>("ended"));
    CHECK_FALSE(site_in(ended, "put", role::store).crossed);
    CHECK_FALSE(site_in(ended, "look", role::load).crossed);
    CHECK(site_in(ended, "meet", role::fetch).crossed);
    const search_result meanwhile = search_for_handovers(make_scenario<read_meanwhile>("meanwhile"));
    CHECK(site_in(meanwhile, "put", role::store).crossed);
    CHECK(site_in(meanwhile, "run", role::load).crossed);
}

TEST_CASE("An order hands over what another thread accesses after it, and nothing where nobody does") {
    const search_result once = search_for_handovers(make_scenario<ring_filled_twice>("once"));
    REQUIRE(once.verdict == verdict::held);
    CHECK(site_in(once, "push", role::store).release_used);
    CHECK_FALSE(site_in(once, "pop", role::store).release_used);
    CHECK(site_in(once, "pop", role::store).crossed);
    const search_result again = search_for_handovers(make_scenario<ring_filled_again>("again"));
    REQUIRE(again.verdict == verdict::held);
    CHECK(site_in(again, "pop", role::store).release_used);
}

TEST_CASE("A fence hands over by way of the operations beside it") {
    const search_result result = search_for_handovers(make_scenario<fenced>("fenced"));
    CHECK(site_in(result, "put", role::fence).release_used);
    CHECK(site_in(result, "get", role::fence).acquire_used);
    CHECK_FALSE(site_in(result, "put", role::store).release_used);
    CHECK_FALSE(site_in(result, "get", role::load).acquire_used);
}

TEST_CASE("Nobody asks what orders are for unless it is wanted") {
    const search_result result = search(make_scenario<ring_filled_again>("again"), full_search(), "graph");
    CHECK(std::ranges::none_of(result.sites, &reached_site::release_used));
    CHECK(std::ranges::all_of(result.sites, [](const reached_site& each) { return each.writer_examples.empty(); }));
}

// Without these orders each side could read what the other has written on what it has read: the letter of C++20 does not forbid it.
TEST_CASE("The audit of a ring that is never filled again weakens no order that load buffering may need") {
    const scenario what = named(make_scenario<ring_filled_twice>("made_up/once"));
    const audited_subject subject = audited(what);
    const audited_site& freed = audited_in(subject, "pop", role::store, order::release);
    CHECK(freed.verdict == site_verdict::undecided);
    REQUIRE(freed.weaker.size() == 1);
    CHECK(freed.weaker[0].note.find("by the letter of C++20") != std::string::npos);
    CHECK(audited_in(subject, "push", role::load, order::acquire).verdict == site_verdict::undecided);
    CHECK(audited_in(subject, "push", role::store, order::release).verdict == site_verdict::minimal);
    for (const joint_table& table : subject.joint) {
        CHECK(std::ranges::none_of(table.minimal, &joint_assignment::weaker));
    }
    CHECK(find_fix(subject, 0).changes.empty());
}

TEST_CASE("The audit of a ring that is filled again requires all its orders") {
    const scenario what = named(make_scenario<ring_filled_again>("made_up/again"));
    const audited_subject subject = audited(what);
    CHECK(audited_in(subject, "pop", role::store, order::release).verdict == site_verdict::minimal);
    CHECK(audited_in(subject, "push", role::load, order::acquire).verdict == site_verdict::minimal);
}

TEST_CASE("An order that only the end of all threads reads is unexercised") {
    const scenario what = named(make_scenario<read_at_the_end>("made_up/ended"));
    const audited_subject subject = audited(what);
    CHECK(audited_in(subject, "put", role::store, order::release).verdict == site_verdict::unexercised);
    CHECK(find_fix(subject, 0).changes.empty());
}

}  // namespace ordeal::model_tests
