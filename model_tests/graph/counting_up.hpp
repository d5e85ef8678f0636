// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/graph_search.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::model_tests {

/// Every thread counts up one atomic; the outcome is where the first thread came in. All interleavings differ.
template <std::size_t Threads, int Times>
struct counting_up {
    template <class P>
    struct test {
        static constexpr auto threads = [] {
            std::array<const char*, Threads> names{};
            names.fill("thread");
            return names;
        }();
        typename P::template atomic<int> x{0};
        int first = -1;

        void run(int thread) {
            for (int i = 0; i < Times; ++i) {
                const int seen = x.fetch_add(1, relaxed);
                if (thread == 0 && first < 0) first = seen;
            }
        }
        [[nodiscard]] std::string outcome() const { return values(first); }
    };
};

/// Violated where the second thread comes first, and twice: with many operations a search comes to that after nearly all
/// executions, and a random one of five threads has it in one of 25 cases.
template <std::size_t Threads, int Times>
struct second_first {
    template <class P>
    struct test : counting_up<Threads, Times>::template test<P> {
        void run(int thread) {
            for (int i = 0; i < Times; ++i) {
                const int seen = this->x.fetch_add(1, relaxed);
                require(thread != 1 || i != 1 || seen != 1, "the second thread does not come first, and twice");
            }
        }
    };
};

inline constexpr std::uint64_t interleavings_of_three_times_three = 1'680;  // 9! / (3! 3! 3!)
inline constexpr std::uint64_t interleavings_of_three_times_four = 34'650;  // 12! / (4! 4! 4!)

[[nodiscard]] inline scenario three_times_four() { return make_scenario<counting_up<3, 4>::test>("three times four"); }

}  // namespace ordeal::model_tests
