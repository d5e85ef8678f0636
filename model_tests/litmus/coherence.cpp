// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

#include <array>

namespace ordeal::model_tests {

namespace {

template <class P>
struct one_location {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int first = 0;
    int second = 0;
    int last = 0;

    void finish() { last = x.load(relaxed); }
};

template <class P>
struct read_read : one_location<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.store(1, relaxed);
            this->x.store(2, relaxed);
        } else {
            this->first = this->x.load(relaxed);
            this->second = this->x.load(relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->first, this->second); }
};

template <class P>
struct write_write : one_location<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.store(1, relaxed);
            this->x.store(2, relaxed);
        } else {
            this->x.store(3, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->last); }
};

template <class P>
struct read_write : one_location<P> {
    void run(int thread) {
        if (thread == 0) {
            this->first = this->x.load(relaxed);
            this->x.store(1, relaxed);
        } else {
            this->x.store(2, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->first, this->last); }
};

template <class P>
struct write_read : one_location<P> {
    void run(int thread) {
        if (thread == 0) {
            this->x.store(1, relaxed);
            this->first = this->x.load(relaxed);
        } else {
            this->x.store(2, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return values(this->first, this->last); }
};

// Two threads store; each of two others loads twice. For either modification order, the second load is not behind the
// first one.
outcome_set seen_by_two_readers() {
    outcome_set result;
    for (const auto& order : {std::array{0, 1, 2}, std::array{0, 2, 1}}) {
        for (std::size_t a = 0; a < 9; ++a) {
            for (std::size_t b = 0; b < 9; ++b) {
                if (a / 3 > a % 3 || b / 3 > b % 3) continue;
                result.insert(values(order[a / 3], order[a % 3], order[b / 3], order[b % 3], order[2]));
            }
        }
    }
    return result;
}

void add_programs(std::vector<litmus_row>& rows) {
    rows.push_back(runs("CoRW1, a load before the store of the same thread", {{{read(x), write(x, 1)}}}, {"0"}));
    rows.push_back(runs("CoWR0, a load after the store of the same thread", {{{write(x, 1), read(x)}}}, {"1"}));
    rows.push_back(runs("CoRR, three loads", {{{write(x, 1), write(x, 2)}, {read(x), read(x), read(x)}}},
                        {"0,0,0", "0,0,1", "0,0,2", "0,1,1", "0,1,2", "0,2,2", "1,1,1", "1,1,2", "1,2,2", "2,2,2"}));
    rows.push_back(runs("CoRR2, two stores, two threads that load twice",
                        {{{write(x, 1)}, {write(x, 2)}, {read(x), read(x)}, {read(x), read(x)}}}, seen_by_two_readers())
                       .asking("1,2,2,1,1"));
    rows.push_back(runs("CO-SBI, each stores and loads", {{{write(x, 1), read(x)}, {write(x, 2), read(x)}}},
                        {"1,1,1", "1,2,1", "1,2,2", "2,2,2"}));
    rows.push_back(runs("CO-LB, each loads and stores", {{{read(x), write(x, 1)}, {read(x), write(x, 2)}}},
                        {"0,0,1", "0,0,2", "0,1,2", "2,0,1"}));
    rows.push_back(
        runs("CO-2+2W, each stores twice", {{{write(x, 1), write(x, 2)}, {write(x, 3), write(x, 4)}}}, {"2", "4"}));
    rows.push_back(runs("CO-R, two stores against a store and a load",
                        {{{write(x, 1), write(x, 2)}, {write(x, 3), read(x)}}}, {"1,2", "2,2", "3,2", "3,3"}));
    rows.push_back(runs("CO-S, two stores against a load and a store",
                        {{{write(x, 1), write(x, 2)}, {read(x), write(x, 3)}}}, {"0,2", "0,3", "1,2", "1,3", "2,3"}));
}

}  // namespace

litmus_table coherence() {
    litmus_table table{
        "Coherence",
        "Of one atomic: the values loaded, in the order of the threads; then, where two threads store, the last value. "
        "No thread sees the stores in another order than that in which they take effect: in CoRR (also called CO-MP) "
        "2,1, in CoRR2 1,2,2,1 are forbidden with every memory order.",
        "[intro.races], read-read to write-write coherence; Herding Cats (CoRR, CoWW, CoRW2, CoWR).",
        {agrees<read_read>("CoRR, against stores of 1 and 2", {"0,0", "0,1", "0,2", "1,1", "1,2", "2,2"}),
         agrees<write_write>("CoWW, stores of 1 and 2 against a store of 3", {"2", "3"}),
         agrees<read_write>("CoRW2, a load and a store of 1 against a store of 2", {"0,1", "0,2", "2,1"}),
         agrees<write_read>("CoWR, a store of 1 and a load against a store of 2", {"1,1", "1,2", "2,2"})}};
    add_programs(table.rows);
    return table;
}

}  // namespace ordeal::model_tests
