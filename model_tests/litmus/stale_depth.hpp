// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/litmus/litmus.hpp"

namespace ordeal::model_tests {

/// `Stores` stores to x and then the flag; does who saw the flag see the oldest x?
template <int Stores>
struct stale_by {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        typename P::template atomic<int> flag{0};
        int seen_flag = 0;
        int seen_x = 0;

        void run(int thread) {
            if (thread == 0) {
                for (int value = 1; value <= Stores; ++value) x.store(value, relaxed);
                flag.store(1, relaxed);
            } else {
                seen_flag = flag.load(relaxed);
                seen_x = x.load(relaxed);
            }
        }
        [[nodiscard]] std::string outcome() const { return values(seen_flag, seen_x); }
    };
};

}  // namespace ordeal::model_tests
