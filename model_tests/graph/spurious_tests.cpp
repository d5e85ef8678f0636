// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weak compare-exchange may fail spuriously: in every place where that makes a difference, as often as was asked.
#include "model_tests/graph/graph_search.hpp"

#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto only = std::array{"only"};

template <bool Weak>
struct exchanged_once {
    template <class P>
    struct test {
        static constexpr auto threads = only;
        typename P::template atomic<int> x{0};
        bool stored = false;
        int expected = 0;

        void run(int) {
            stored = Weak ? x.compare_exchange_weak(expected, 1, acq_rel, acquire)
                          : x.compare_exchange_strong(expected, 1, acq_rel, acquire);
        }
        [[nodiscard]] std::string outcome() const { return values(stored, expected); }
    };
};

// The same beside a thread that stores: a failure may be a stale value, the new one, or spurious.
template <bool Weak>
struct exchanged_beside_a_store {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        bool stored = false;
        int expected = 0;

        void run(int thread) {
            if (thread == 0) return x.store(5, relaxed);
            stored = Weak ? x.compare_exchange_weak(expected, 1, relaxed, relaxed)
                          : x.compare_exchange_strong(expected, 1, relaxed, relaxed);
        }
        [[nodiscard]] std::string outcome() const { return values(stored, expected); }
    };
};

// A failing compare-exchange is a load: it may read what is no longer the newest value.
template <class P>
struct fails_on_a_stale_value {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> done{0};
    bool later = false;
    int expected = 7;

    void run(int thread) {
        if (thread == 0) {
            x.store(7, relaxed);
            done.store(1, relaxed);
        } else {
            later = done.load(relaxed) == 1;
            x.compare_exchange_strong(expected, 8, relaxed, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(later, expected); }
};

// Written by someone who holds that a failure means that another thread was there.
template <class P>
struct believes_failures {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> owner{0};
    typename P::template cell<int> data{0};

    void run(int thread) {
        int nobody = 0;
        if (owner.compare_exchange_weak(nobody, thread + 1, acq_rel, acquire)) {
            data.write() = thread + 1;
        } else {
            require(nobody != 0, "a failure says who was first");
        }
    }
};

// Leaves its loop by the failure path with the lock not taken, and goes on as if it had it.
template <class P>
struct forgets_to_try_again {
    static constexpr auto threads = two_threads;
    typename P::template atomic<bool> locked{false};
    typename P::template cell<int> data{0};

    void run(int) {
        bool expected = false;
        while (!locked.compare_exchange_weak(expected, true, acquire, relaxed) && expected) expected = false;
        ++data.write();
        locked.store(false, release);
    }
};

template <class P>
struct counts_failures {
    static constexpr auto threads = only;
    typename P::template atomic<int> x{0};
    int failures = 0;

    void run(int) {
        int expected = 0;
        while (!x.compare_exchange_weak(expected, 1, relaxed, relaxed)) ++failures;
    }
    [[nodiscard]] std::string outcome() const { return values(failures); }
};

// As many exchanges as the bound has failures, and one more, each by itself.
template <class P>
struct three_in_a_row {
    static constexpr auto threads = only;
    typename P::template atomic<int> x{0};
    std::string text;

    void run(int) {
        for (int i = 0; i < 3; ++i) {
            int expected = 0;
            text += x.compare_exchange_weak(expected, 0, relaxed, relaxed) ? '1' : '0';
        }
    }
    [[nodiscard]] std::string outcome() const { return text; }
};

// The failure order applies when it fails spuriously, too: then nothing was acquired.
template <std::memory_order Failure>
struct reads_data_after_failing {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template cell<int> data{0};
        int seen = 0;

        void run(int thread) {
            if (thread == 0) {
                data.write() = 1;
                x.store(1, release);
                return;
            }
            int expected = 1;
            const bool stored = x.compare_exchange_weak(expected, 2, acquire, Failure);
            if (stored || expected == 1) seen = data.read();
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };
};

// Tries again in the same state, with something between that changes nothing.
template <class P>
struct tries_again_after_a_look {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template cell<int> plain{3};
    int last = 0;

    void run(int) {
        int expected = x.load(relaxed);
        while (!x.compare_exchange_weak(expected, expected + plain.read(), relaxed, relaxed)) {
        }
    }
    void finish() { last = x.load(relaxed); }
    [[nodiscard]] std::string outcome() const { return values(last); }
};

search_options failing(unsigned times) {
    search_options how = full_search();
    how.bounds.spurious = times;
    return how;
}

const std::string once = "fails spuriously at most 1 time in each thread";
const std::string twice = "fails spuriously at most 2 times in each thread";
const std::string never = "fails spuriously at most 0 times in each thread";

}  // namespace

TEST_CASE("A weak compare-exchange fails or succeeds, a strong one succeeds") {
    check_held(make_scenario<exchanged_once<true>::test>("weak"), {"0,0", "1,0"});
    check_held(make_scenario<exchanged_once<false>::test>("strong"), {"1,0"});
    check_held(make_scenario<exchanged_beside_a_store<true>::test>("weak beside a store"), {"0,0", "0,5", "1,0"});
    check_held(make_scenario<exchanged_beside_a_store<false>::test>("strong beside a store"), {"0,5", "1,0"});
}

TEST_CASE("A strong compare-exchange fails on a stale value") {
    check_held(make_scenario<fails_on_a_stale_value>("stale"), {"0,0", "0,7", "1,0", "1,7"});
}

TEST_CASE("A bug on the path of a spurious failure is found") {
    check_violated(make_scenario<believes_failures>("believes failures"), violation_kind::failed_requirement);
    check_violated(make_scenario<forgets_to_try_again>("forgets to try again"), violation_kind::data_race);
}

TEST_CASE("Without spurious failures the bug on their path is hidden, and the limit says so") {
    for (const scenario& what : {make_scenario<believes_failures>("believes failures"),
                                 make_scenario<forgets_to_try_again>("forgets to try again")}) {
        check_held_within(what, never, {}, failing(0));
    }
    check_held_within(make_scenario<exchanged_once<true>::test>("weak"), never, {"1,0"}, failing(0));
}

TEST_CASE("A loop that counts its spurious failures is followed as far as the limit says") {
    const scenario what = make_scenario<counts_failures>("counts failures");
    check_held_within(what, never, {"0"}, failing(0));
    check_held_within(what, once, {"0", "1"}, failing(1));
    check_held_within(what, twice, {"0", "1", "2"}, failing(2));
    check_held_within(what, twice, {"0", "1", "2"});
}

TEST_CASE("The bound of spurious failures is one for all exchanges of a thread") {
    const scenario what = make_scenario<three_in_a_row>("three in a row");
    check_held_within(what, once, {"111", "011", "101", "110"}, failing(1));
    check_held_within(what, twice, {"111", "011", "101", "110", "001", "010", "100"}, failing(2));
    check_held(what, {"111", "011", "101", "110", "001", "010", "100", "000"}, failing(3));
}

TEST_CASE("A spurious failure has the failure order") {
    check_held(make_scenario<reads_data_after_failing<acquire>::test>("acquire"), {"0", "1"});
    check_violated(make_scenario<reads_data_after_failing<relaxed>::test>("relaxed"), violation_kind::data_race);
}

TEST_CASE("A loop that tries again in the same state needs no bound") {
    for (const unsigned times : {0U, 1U, 2U}) {
        check_held(make_scenario<tries_again_after_a_look>("tries again"), {"6"}, failing(times));
    }
}

}  // namespace ordeal::model_tests
