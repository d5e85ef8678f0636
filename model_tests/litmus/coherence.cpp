// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

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

// Two increments are two, in whatever order.
template <class P>
struct increments : one_location<P> {
    void run(int thread) { (thread == 0 ? this->first : this->second) = this->x.fetch_add(1, relaxed); }
    [[nodiscard]] std::string outcome() const { return values(this->first, this->second, this->last); }
};

}  // namespace

litmus_table coherence() {
    return {"Coherence",
            "Of one atomic: the values loaded by one thread, then, but for CoRR, the last value of all.",
            {agrees<read_read>("CoRR, against stores of 1 and 2", {"0,0", "0,1", "0,2", "1,1", "1,2", "2,2"}),
             agrees<write_write>("CoWW, stores of 1 and 2 against a store of 3", {"2", "3"}),
             agrees<read_write>("CoRW, a load and a store of 1 against a store of 2", {"0,1", "0,2", "2,1"}),
             agrees<write_read>("CoWR, a store of 1 and a load against a store of 2", {"1,1", "1,2", "2,2"}),
             agrees<increments>("two increments", {"0,1,2", "1,0,2"})}};
}

}  // namespace ordeal::model_tests
