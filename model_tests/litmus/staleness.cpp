// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How old a value an operation can see.
#include "model_tests/litmus/programs.hpp"
#include "model_tests/litmus/stale_depth.hpp"

namespace ordeal::model_tests {

namespace {

// A compare-exchange that fails is a load; it may be stale.
template <class P>
struct stale_failure {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> flag{0};
    int seen_flag = 0;
    int seen_x = 7;

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            flag.store(1, relaxed);
        } else {
            seen_flag = flag.load(relaxed);
            x.compare_exchange_strong(seen_x, 8, relaxed, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen_flag, seen_x); }
};

// One that would succeed on the newest value may also fail on an older one.
template <class P>
struct stale_failure_instead_of_success {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> flag{0};
    int seen_flag = 0;
    bool stored = false;

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            flag.store(1, relaxed);
        } else {
            seen_flag = flag.load(relaxed);
            int expected = 1;
            stored = x.compare_exchange_strong(expected, 2, relaxed, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen_flag, stored); }
};

// After the threads everything is ordered before finish().
template <class P>
struct seen_by_finish {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template cell<int> data{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            data.write() = 1;
        } else {
            x.store(1, relaxed);
        }
    }
    void finish() { seen = x.load(relaxed) + data.read(); }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

}  // namespace

litmus_table staleness() {
    return {
        "How stale a value can be",
        "The flag seen, then what was seen of x, or whether the exchange succeeded.",
        "[intro.races]; no bound but coherence ([atomics.order]/11).",
        {agrees<stale_by<1>::test>("a load, one store stale", {"0,0", "0,1", "1,0", "1,1"}),
         differs<stale_by<2>::test>(
             "a load, two stores stale", {"0,0", "0,1", "0,2", "1,0", "1,1", "1,2"},
             {"0,0", "0,1", "0,2", "1,1", "1,2"},
             {"Limit: a load is at most one store stale; two in a random search.", "at most one store stale"}),
         differs<stale_failure>("a failing compare-exchange", {"0,0", "0,1", "1,0", "1,1"}, {"0,0", "0,1", "1,1"},
                                newest_failure),
         differs<stale_failure_instead_of_success>("a compare-exchange that the newest value lets succeed",
                                                   {"0,0", "0,1", "1,0", "1,1"}, {"0,0", "0,1", "1,1"}, newest_failure),
         agrees<seen_by_finish>("finish() after both threads", {"2"})}};
}

}  // namespace ordeal::model_tests
