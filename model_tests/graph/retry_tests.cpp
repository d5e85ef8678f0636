// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redundant retries: loops that read an atomic again after a compare-exchange has failed. A search that follows each of
// them is held against one that does not: what can come of a program is the same.
#include "model_tests/graph/graph_search.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Adds one, in the two forms that such loops have.
template <class P>
struct raises {
    static constexpr auto threads = std::array{"raises", "raises", "raises"};
    atomic_int<P> sum{0};

    void run(int /*thread*/) {
        int seen = sum.load(relaxed);
        while (!sum.compare_exchange_weak(seen, seen + 1, relaxed)) {
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(sum.load()); }
};

template <class P>
struct reads_again_and_raises : raises<P> {
    void run(int /*thread*/) {
        for (;;) {
            int seen = this->sum.load(relaxed);
            if (this->sum.compare_exchange_strong(seen, seen + 1, relaxed)) return;
        }
    }
};

// How often it has failed is a state of its own.
template <class P>
struct counts_failures {
    static constexpr auto threads = std::array{"raises", "raises"};
    atomic_int<P> sum{0};
    std::array<int, 2> failures{};

    void run(int thread) {
        int seen = sum.load(relaxed);
        while (!sum.compare_exchange_strong(seen, seen + 1, relaxed)) ++failures[static_cast<std::size_t>(thread)];
    }
    [[nodiscard]] std::string outcome() const { return fmt::format("{}", failures[0] + failures[1]); }
};

// What comes after a redundant failure may be what its thread reads at first.
template <class P>
struct raises_against_stores {
    static constexpr auto threads = std::array{"raises", "stores"};
    atomic_int<P> sum{0};
    int found = 0;

    void run(int thread) {
        if (thread == 1) {
            for (int i = 1; i < 4; ++i) sum.store(i, relaxed);
            return;
        }
        int seen = sum.load(relaxed);
        while (!sum.compare_exchange_strong(seen, seen + 10, relaxed)) {
        }
        found = seen;
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(found); }
};

// The value that was expected has come back. Only the compare-exchange that failed at first, had it not been redundant,
// knows less than a load of it would: that it succeeds is told by what is left in `x`, and that it is not ordered by
// `behind`.
template <class P>
struct value_comes_back {
    static constexpr auto threads = std::array{"raises", "changes and restores"};
    atomic_int<P> x{0};
    atomic_int<P> behind{0};
    int found = 0;

    void run(int thread) {
        if (thread == 1) {
            x.store(1, release);
            behind.store(1, relaxed);
            x.store(0, release);
            return;
        }
        int seen = x.load(acquire);
        while (!x.compare_exchange_strong(seen, seen + 10, relaxed, acquire)) {
        }
        found = behind.load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return fmt::format("{},{}", x.load(), found); }
};

// The first load acquires what the compare-exchange that fails does not: only one that has failed knows less than it
// reads.
template <class P>
struct fails_relaxed {
    static constexpr auto threads = std::array{"publishes", "reads"};
    cell_int<P> data{0};
    atomic_int<P> ready{0};

    void run(int thread) {
        if (thread == 0) {
            data.write() = 1;
            ready.store(1, release);
            return;
        }
        int seen = ready.load(acquire);
        while (!ready.compare_exchange_strong(seen, seen + 2, relaxed, relaxed)) {
        }
        if (seen == 1) require(data.read() == 1);
    }
};

// The same of the single order of seq_cst: store buffering, where the second thread's read is the one of a failure.
template <class P>
struct fails_out_of_order {
    static constexpr auto threads = std::array{"x, y", "y, x", "y"};
    atomic_int<P> x{0};
    atomic_int<P> y{0};
    std::array<int, 2> found{};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, seq_cst);
            found[0] = y.load(seq_cst);
        } else if (thread == 1) {
            y.store(1, seq_cst);
            int seen = x.load(seq_cst);
            while (!x.compare_exchange_strong(seen, seen + 4, relaxed, relaxed)) {
            }
            found[1] = seen;
        } else {
            x.store(2, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return fmt::format("{},{}", found[0], found[1]); }
};

// What it reads in the iteration that fails is accessed in no execution without that iteration, and nothing orders the
// other's write.
template <class P>
struct reads_a_cell_in_a_redundant_retry {
    static constexpr auto threads = std::array{"looks", "changes", "writes"};
    std::array<cell_int<P>, 2> data{cell_int<P>{0}, cell_int<P>{0}};
    atomic_int<P> number{1};
    atomic_int<P> past{0};

    void run(int thread) {
        if (thread == 0) {
            int seen = number.load(relaxed);
            do {
                (void)data[seen == 1 ? 0 : 1].read();
            } while (!number.compare_exchange_strong(seen, seen + 10, relaxed));
            if (seen == 2) past.store(1, relaxed);
        } else if (thread == 1) {
            number.store(2, relaxed);
        } else if (past.load(relaxed) == 1) {
            data[0].write() = 1;
        }
    }
};

template <template <class> class Scenario>
void check_same(verdict expected, const search_options& followed = following_all()) {
    const scenario what = make_scenario<Scenario>("retries");
    search_options how = followed;
    how.reductions.retries = how.reductions.blocked = true;
    const search_result some = graph_search(what, how);
    const search_result all = graph_search(what, followed);
    CAPTURE(some.message, all.message, some.executions, some.blocked, all.executions);
    CHECK(to_string(all.verdict) == to_string(expected));
    CHECK(to_string(some.verdict) == to_string(expected));
    CHECK(some.kind == all.kind);
    CHECK(outcomes_of(some) == outcomes_of(all));
}

}  // namespace

TEST_CASE("A redundant retry makes no execution of its own") {
    // One for each order in which the threads succeed.
    for (const scenario& what :
         {make_scenario<raises>("raises"), make_scenario<reads_again_and_raises>("reads again")}) {
        for (const memory_model model : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
            search_options how = full_search();
            how.model = model;
            const search_result found = graph_search(what, how);
            CHECK(found.complete);
            CHECK(found.outcomes == std::map<std::string, std::uint64_t>{{"3", 6}});
            how.reductions.retries = how.reductions.blocked = false;
            CHECK(graph_search(what, how).executions > 6);
        }
    }
}

TEST_CASE("The read of a redundant retry can still read what is written later") {
    check_held(make_scenario<raises_against_stores>("raises against stores"), {"0", "1", "2", "3"});
    check_held(make_scenario<value_comes_back>("value comes back"), {"0,0", "0,1", "10,0", "10,1"});
    check_same<value_comes_back>(verdict::held);
}

TEST_CASE("A retry that leads to another state is followed") {
    check_held(make_scenario<counts_failures>("counts failures"), {"0", "1"});
}

TEST_CASE("A retry that knows less than it would without the iteration is followed") {
    check_violated(make_scenario<fails_relaxed>("fails relaxed"), violation_kind::data_race);
    check_same<fails_relaxed>(verdict::violated);
    check_same<fails_out_of_order>(verdict::held);
}

TEST_CASE("A retry whose iteration accesses what is not accessed without it is followed") {
    check_violated(make_scenario<reads_a_cell_in_a_redundant_retry>("reads a cell"), violation_kind::data_race);
}

}  // namespace ordeal::model_tests
