// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/programs.hpp"

namespace ordeal::model_tests {

namespace {

template <class P>
struct headed {
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> data{0};
    int seen = 0;

    void publish() {
        data.write() = 1;
        flag.store(1, release);
    }
    void consume_at(int value) {
        if (flag.load(acquire) == value) seen = data.read();
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <class P>
struct own_store : headed<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 1) return this->consume_at(2);
        this->publish();
        this->flag.store(2, relaxed);
    }
};

template <class P>
struct own_modification : headed<P> {
    static constexpr auto threads = two_threads;
    void run(int thread) {
        if (thread == 1) return this->consume_at(2);
        this->publish();
        this->flag.fetch_add(1, relaxed);
    }
};

template <class P>
struct other_modification : headed<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread == 0) return this->publish();
        if (thread == 2) return this->consume_at(11);
        this->flag.fetch_add(10, relaxed);
    }
};

template <class P>
struct other_exchange : headed<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread == 0) return this->publish();
        if (thread == 2) return this->consume_at(2);
        int expected = 1;
        this->flag.compare_exchange_strong(expected, 2, relaxed, relaxed);
    }
};

template <class P>
struct other_store : headed<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread == 0) return this->publish();
        if (thread == 2) return this->consume_at(2);
        if (this->flag.load(relaxed) == 1) this->flag.store(2, relaxed);
    }
};

// The other thread's modification continues the sequence; its plain store after it does not.
template <std::memory_order Store>
struct after_modification {
    template <class P>
    struct test : headed<P> {
        static constexpr auto threads = three_threads;
        void run(int thread) {
            if (thread == 0) return this->publish();
            if (thread == 2) return this->consume_at(5);
            if (this->flag.fetch_add(1, relaxed) == 1) this->flag.store(5, Store);
        }
    };
};

// Another thread's store in between ends the sequence.
template <class P>
struct interrupted : headed<P> {
    static constexpr auto threads = three_threads;
    void run(int thread) {
        if (thread == 0) {
            this->publish();
            if (this->flag.load(relaxed) == 2) this->flag.store(3, relaxed);
        } else if (thread == 1) {
            if (this->flag.load(relaxed) == 1) this->flag.store(2, relaxed);
        } else {
            this->consume_at(3);
        }
    }
};

}  // namespace

litmus_table release_sequences() {
    return {"Release sequences",
            "The data seen, 0 when the flag did not have the last value.",
            "[intro.races]/5 (without stores of the same thread since C++20, P0982R1).",
            {differs<own_store>("a plain store of the same thread", {"data race"}, {"0", "1"}, continued_sequence),
             agrees<own_modification>("a relaxed fetch_add of the same thread", {"0", "1"}),
             agrees<other_modification>("a relaxed fetch_add of another thread", {"0", "1"}),
             agrees<other_exchange>("a relaxed compare-exchange of another thread", {"0", "1"}),
             agrees<other_store>("a plain store of another thread", {"data race"}),
             agrees<interrupted>("a plain store of the same thread after one of another", {"data race"}),
             differs<after_modification<relaxed>::test>("a relaxed store of another thread after its fetch_add",
                                                        {"data race"}, {"0", "1"}, continued_sequence),
             differs<after_modification<release>::test>("a release store of another thread after its relaxed fetch_add",
                                                        {"data race"}, {"0", "1"}, continued_sequence)}};
}

}  // namespace ordeal::model_tests
