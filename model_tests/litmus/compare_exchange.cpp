// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every legal pair of a success and a failure order, and what each of the two does.
#include "model_tests/litmus/litmus.hpp"

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <std::memory_order Success, std::memory_order Failure>
struct pair_of_orders {
    template <class P>
    struct parts {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> flag{0};
        typename P::template cell<int> data{0};
        int seen = 0;

        void publish() {
            data.write() = 1;
            flag.store(1, release);
        }
        [[nodiscard]] std::string outcome() const { return values(seen); }
    };

    // The exchange finds what the other thread released, and stores.
    template <class P>
    struct success_acquires : parts<P> {
        void run(int thread) {
            if (thread == 0) return this->publish();
            int expected = 1;
            if (this->flag.compare_exchange_strong(expected, 2, Success, Failure)) this->seen = this->data.read();
        }
    };

    // The exchange releases to an acquire load.
    template <class P>
    struct success_releases : parts<P> {
        void run(int thread) {
            if (thread == 0) {
                this->data.write() = 1;
                int expected = 0;
                this->flag.compare_exchange_strong(expected, 1, Success, Failure);
            } else if (this->flag.load(acquire) == 1) {
                this->seen = this->data.read();
            }
        }
    };

    // The exchange finds what the other thread released, but expected another value.
    template <class P>
    struct failure_acquires : parts<P> {
        void run(int thread) {
            if (thread == 0) return this->publish();
            int expected = 7;
            if (!this->flag.compare_exchange_strong(expected, 8, Success, Failure) && expected == 1) {
                this->seen = this->data.read();
            }
        }
    };

    // The exchange finds the value it expected, and fails spuriously.
    template <class P>
    struct spurious_failure_acquires : parts<P> {
        void run(int thread) {
            if (thread == 0) return this->publish();
            int expected = 1;
            if (!this->flag.compare_exchange_weak(expected, 2, Success, Failure) && expected == 1) {
                this->seen = this->data.read();
            }
        }
    };

    static void add_to(std::vector<litmus_row>& rows) {
        const std::string orders = "CAS(" + name_of(Success) + ", " + name_of(Failure) + ")";
        const auto outcomes = [](bool ordered) { return ordered ? outcome_set{"0", "1"} : outcome_set{"data race"}; };
        rows.push_back(agrees<success_acquires>(orders + ", success acquires", outcomes(acquires(Success))));
        rows.push_back(agrees<success_releases>(orders + ", success releases", outcomes(releases(Success))));
        rows.push_back(agrees<failure_acquires>(orders + ", failure acquires", outcomes(acquires(Failure))));
        rows.push_back(agrees<spurious_failure_acquires>(orders + ", weak, spurious failure acquires",
                                                         outcomes(acquires(Failure))));
    }
};

template <std::memory_order Success>
void add_failures(std::vector<litmus_row>& rows) {
    pair_of_orders<Success, relaxed>::add_to(rows);
    pair_of_orders<Success, acquire>::add_to(rows);
    pair_of_orders<Success, seq_cst>::add_to(rows);
}

}  // namespace

litmus_table compare_exchange() {
    litmus_table table{"The orders of a compare-exchange",
                       "The data seen, 0 when the exchange or the load did not find the flag.",
                       "[atomics.types.operations], compare_exchange_strong.",
                       {}};
    add_failures<relaxed>(table.rows);
    add_failures<acquire>(table.rows);
    add_failures<release>(table.rows);
    add_failures<acq_rel>(table.rows);
    add_failures<seq_cst>(table.rows);
    return table;
}

}  // namespace ordeal::model_tests
