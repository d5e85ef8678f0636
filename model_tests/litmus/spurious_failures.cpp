// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/litmus/litmus.hpp"

#include <array>
#include <cstddef>

namespace ordeal::model_tests {

namespace {

// One thread exchanges an equal value several times; each exchange could succeed, and a strong one must.
template <bool Weak, std::size_t Count>
struct repeated {
    template <class P>
    struct test {
        static constexpr auto threads = std::array{"only"};
        typename P::template atomic<int> x{0};
        std::array<int, Count> stored{};

        void run(int) {
            for (int& each : stored) {
                int expected = 0;
                each = Weak ? x.compare_exchange_weak(expected, 0, relaxed, relaxed)
                            : x.compare_exchange_strong(expected, 0, relaxed, relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const {
            std::string text;
            for (const int each : stored) text += (text.empty() ? "" : ",") + std::to_string(each);
            return text;
        }
    };
};

// Each of two threads exchanges an atomic of its own.
template <class P>
struct one_each {
    static constexpr auto threads = two_threads;
    std::array<typename P::template atomic<int>, 2> own{};
    std::array<int, 2> stored{};

    void run(int thread) {
        const auto number = static_cast<std::size_t>(thread);
        int expected = 0;
        stored[number] = own[number].compare_exchange_weak(expected, 1, relaxed, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(stored[0], stored[1]); }
};

// A loop that tries again in the same state: how often it does makes no difference.
template <class P>
struct retried {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int last = 0;

    void run(int) {
        int seen = x.load(relaxed);
        while (!x.compare_exchange_weak(seen, seen + 1, relaxed, relaxed)) {
        }
    }
    void finish() { last = x.load(relaxed); }
    [[nodiscard]] std::string outcome() const { return values(last); }
};

// The first thread publishes, by its exchange, what the other one must see.
template <bool Weak>
struct handed_over {
    template <class P>
    struct parts {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template cell<int> data{0};
        int seen = 0;

        void begin(int thread) {
            if (thread == 0) data.write() = 1;
        }
        [[nodiscard]] bool exchanged(int before) {
            return Weak ? x.compare_exchange_weak(before, before + 1, acq_rel, relaxed)
                        : x.compare_exchange_strong(before, before + 1, acq_rel, relaxed);
        }
        void end(int thread, int before) {
            if (thread == 1 && before == 1) seen = data.read();
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };

    // An iteration begins with the load.
    template <class P>
    struct load_in_the_loop : parts<P> {
        void run(int thread) {
            this->begin(thread);
            int before = 0;
            do {
                before = this->x.load(relaxed);
            } while (!this->exchanged(before));
            this->end(thread, before);
        }
    };

    // An iteration ends with a load that is not the one before the loop.
    template <class P>
    struct load_after_failure : parts<P> {
        void run(int thread) {
            this->begin(thread);
            int before = this->x.load(relaxed);
            while (!this->exchanged(before)) before = this->x.load(relaxed);
            this->end(thread, before);
        }
    };
};

// A loop that counts its iterations, four at most.
template <class P>
struct counted {
    static constexpr auto threads = std::array{"only"};
    typename P::template atomic<int> x{0};
    int failures = 0;

    void run(int) {
        int expected = 0;
        while (failures < 4 && !x.compare_exchange_weak(expected, 1, relaxed, relaxed)) ++failures;
    }
    [[nodiscard]] std::string outcome() const { return values(failures); }
};

constexpr difference once_for_each_object{"Limit: at most one spurious failure for each atomic object.",
                                          "spuriously at most once"};
constexpr difference not_recognised{
    "Limit: two spurious failures are too few to see that the loop comes back to where it was.", "spurious"};
constexpr difference twice_for_each_thread{"Limit: at most two spurious failures on each thread.", "spurious"};

}  // namespace

litmus_table spurious_failures() {
    return {
        "Spurious failures of a weak compare-exchange",
        "Whether each exchange of an equal value succeeded; in the loops the last value, the data seen by the second "
        "thread if it came second, or how many exchanges failed.",
        "[atomics.types.operations], compare_exchange_weak.",
        {agrees<repeated<false, 2>::test>("CAS strong, twice", {"1,1"}),
         agrees<repeated<true, 1>::test>("CAS weak, once", {"0", "1"}),
         differs<repeated<true, 2>::test>("CAS weak, twice", {"0,0", "0,1", "1,0", "1,1"}, {"0,1", "1,0", "1,1"},
                                          once_for_each_object),
         differs<repeated<true, 3>::test>("CAS weak, three times",
                                          {"0,0,0", "0,0,1", "0,1,0", "0,1,1", "1,0,0", "1,0,1", "1,1,0", "1,1,1"},
                                          {"0,1,1", "1,0,1", "1,1,0", "1,1,1"}, once_for_each_object)
             .graph_lacks({"0,0,0"}, twice_for_each_thread),
         agrees<one_each>("CAS weak, one on each of two threads", {"0,0", "0,1", "1,0", "1,1"}),
         agrees<retried>("CAS weak in a loop, two increments", {"2"}),
         agrees<handed_over<true>::load_in_the_loop>("CAS weak in a loop with the load", {"0", "1"}),
         agrees<handed_over<true>::load_after_failure>("CAS weak in a loop, a load after each failure", {"0", "1"})
             .graph_finds({"0", "1"}, not_recognised),
         agrees<handed_over<false>::load_in_the_loop>("CAS strong in a loop with the load", {"0", "1"}),
         agrees<handed_over<false>::load_after_failure>("CAS strong in a loop, a load after each failure", {"0", "1"}),
         differs<counted>("CAS weak in a loop that counts its iterations", {"0", "1", "2", "3", "4"}, {"0", "1"},
                          once_for_each_object)
             .graph_lacks({"3", "4"}, twice_for_each_thread)}};
}

}  // namespace ordeal::model_tests
