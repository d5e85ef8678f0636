// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of very many non-atomic accesses: one ends, one does not.
#include "model_tests/plain/programs/programs.hpp"

#include <array>
#include <cstddef>

namespace ordeal::model_tests {

namespace {

template <class Computation>
struct computes {
    static constexpr auto threads = std::array{"computes", "looks"};
    std::atomic<long> result{0};
    Computation how;

    void run(int thread) {
        if (thread == 0) {
            result.store(how.compute(), release);
        } else {
            require(result.load(acquire) >= 0);
        }
    }
};

struct sum_of_many {
    std::array<long, 8> values{1, 2, 3, 4, 5, 6, 7, 8};

    long compute() {
        constexpr std::size_t iterations = 11'000'000;  // of two accesses each
        for (std::size_t i = 0; i < iterations; ++i) values[i % values.size()] += 1;
        return values[0];
    }
};

struct waits_for_a_number {
    volatile long number = 0;

    [[nodiscard]] long compute() const {
        while (number == 0) {
        }
        return number;
    }
};

ORDEAL_SCENARIO("programs/long_sum", computes<sum_of_many>);
ORDEAL_SCENARIO("programs/long_wait", wrong<computes<waits_for_a_number>, violation_kind::livelock>);

}  // namespace

}  // namespace ordeal::model_tests
