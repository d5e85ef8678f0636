// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repairs that violations name: of code with many sites, where not every set of changes can be tried.
#include "model_tests/support/search.hpp"

#include "ordeal/audit/audit.hpp"
#include "ordeal/explain/explanation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// A thief takes what the owner offers, and gives it back. It acquires nothing when it takes, and releases nothing when it gives
// back. 44 counters stand beside that.
template <class P>
struct board {
    static constexpr auto threads = std::array{"owner", "thief"};
    typename P::template cell<int> job{0};
    typename P::template atomic<int> offer{0};
    typename P::template atomic<int> back{0};
    std::array<typename P::template atomic<int>, 44> noted{};

    void count_by_owner() {
        noted[0].fetch_add(1, relaxed);
        noted[1].fetch_add(1, relaxed);
        noted[2].fetch_add(1, relaxed);
        noted[3].fetch_add(1, relaxed);
        noted[4].fetch_add(1, relaxed);
        noted[5].fetch_add(1, relaxed);
        noted[6].fetch_add(1, relaxed);
        noted[7].fetch_add(1, relaxed);
        noted[8].fetch_add(1, relaxed);
        noted[9].fetch_add(1, relaxed);
        noted[10].fetch_add(1, relaxed);
        noted[11].fetch_add(1, relaxed);
        noted[12].fetch_add(1, relaxed);
        noted[13].fetch_add(1, relaxed);
        noted[14].fetch_add(1, relaxed);
        noted[15].fetch_add(1, relaxed);
        noted[16].fetch_add(1, relaxed);
        noted[17].fetch_add(1, relaxed);
        noted[18].fetch_add(1, relaxed);
        noted[19].fetch_add(1, relaxed);
        noted[20].fetch_add(1, relaxed);
        noted[21].fetch_add(1, relaxed);
    }
    void count_by_thief() {
        noted[22].fetch_add(1, relaxed);
        noted[23].fetch_add(1, relaxed);
        noted[24].fetch_add(1, relaxed);
        noted[25].fetch_add(1, relaxed);
        noted[26].fetch_add(1, relaxed);
        noted[27].fetch_add(1, relaxed);
        noted[28].fetch_add(1, relaxed);
        noted[29].fetch_add(1, relaxed);
        noted[30].fetch_add(1, relaxed);
        noted[31].fetch_add(1, relaxed);
        noted[32].fetch_add(1, relaxed);
        noted[33].fetch_add(1, relaxed);
        noted[34].fetch_add(1, relaxed);
        noted[35].fetch_add(1, relaxed);
        noted[36].fetch_add(1, relaxed);
        noted[37].fetch_add(1, relaxed);
        noted[38].fetch_add(1, relaxed);
        noted[39].fetch_add(1, relaxed);
        noted[40].fetch_add(1, relaxed);
        noted[41].fetch_add(1, relaxed);
        noted[42].fetch_add(1, relaxed);
        noted[43].fetch_add(1, relaxed);
    }
    void grant() {
        job.write() = 1;
        offer.store(1, release);
        if (back.load(acquire) == 1) job.write() = 2;
    }
    void steal() {
        int expected = 1;
        if (!offer.compare_exchange_strong(expected, 2, relaxed, relaxed)) return;
        require(job.read() == 1);
        back.store(1, relaxed);
    }
    void run(int thread) {
        if (thread == 0) {
            count_by_owner();
            grant();
        } else {
            count_by_thief();
            steal();
        }
    }
};

// Each of two threads stores to one atomic, then looks at the other.
template <class P>
struct both_enter {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<typename P::template atomic<int>, 2> wants{};
    typename P::template cell<int> data{0};

    void enter(std::size_t me) {
        wants[me].store(1, relaxed);
        if (wants[1 - me].load(relaxed) == 0) data.write() = 1;
    }
    void run(int thread) { enter(static_cast<std::size_t>(thread)); }
};

audited_subject audited(scenario what) {
    what.subject = "made_up";
    what.exhibit = true;
    what.expected = violated(violation_kind::data_race);
    audit_options options;
    const auto with = std::ranges::find(engines(), std::string_view("graph"), &engine::name);
    REQUIRE(with != engines().end());
    options.with = *with;
    options.search.strategy.mode = search_mode::automatic;
    const scenario* const only = &what;
    audited_subject result = run_audit({&only, 1}, options, nullptr).subjects.at(0);
    result.scenarios.clear();  // they point to what ends here
    return result;
}

bool changes_to(const repair& one, role what, order to) {
    return std::ranges::any_of(one.changes, [&](const order_override& each) {
        return each.site.what == what && each.replacement == to && !adds_fence(each);
    });
}

}  // namespace

TEST_CASE("A repair of code with 48 sites is found from its counterexamples") {
    const audited_subject subject = audited(make_scenario<board>("made_up/board"));
    REQUIRE(subject.verdict == verdict::violated);
    REQUIRE(subject.sites.size() >= 48);
    REQUIRE_FALSE(subject.repairs.empty());
    const repair& first = subject.repairs.front();
    CHECK(first.limits.empty());
    CHECK(first.changes.size() == 2);
    CHECK(changes_to(first, role::success, order::acquire));
    CHECK(changes_to(first, role::store, order::release));
    // Two by two, the changes of 48 sites are thousands; what is known of one excludes most.
    CHECK(subject.searches < 20);
    CHECK(subject.note.find("these are all minimal repairs") != std::string::npos);
}

TEST_CASE("What is found from counterexamples is what all sets of changes come to where these can be tried") {
    const audited_subject subject = audited(make_scenario<both_enter>("made_up/enter"));
    REQUIRE_FALSE(subject.repairs.empty());
    CHECK(subject.note.find("these are all minimal repairs") != std::string::npos);
}

TEST_CASE("A violation names what would forbid it, first what its explanation says") {
    const scenario what = make_scenario<board>("made_up/board");
    const search_result result = search(what, {}, "graph");
    REQUIRE(result.kind == violation_kind::data_race);
    const std::vector<remedy> remedies = remedies_of(result);
    REQUIRE_FALSE(remedies.empty());
    REQUIRE(remedies[0].size() == 1);
    CHECK(remedies[0][0].replacement != order::relaxed);
    CHECK_FALSE(adds_fence(remedies[0][0]));
    const search_result of_none = search(make_scenario<both_enter>("made_up/enter"), {}, "graph");
    const std::vector<remedy> fences = remedies_of(of_none);
    CHECK_FALSE(fences.empty());
    search_result held;
    held.verdict = verdict::held;
    CHECK(remedies_of(held).empty());
}

}  // namespace ordeal::model_tests
