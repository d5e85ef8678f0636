// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs in the style of what libraries do, over nothing but the standard library. Each is a class that knows
// neither a policy nor the model, compiled as code on trial, right or with a classic bug.
#pragma once

#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <iterator>
#include <thread>

namespace ordeal::model_tests {

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

/// `Program`, which every search must find to be wrong, in this way.
template <class Program, violation_kind Kind>
struct wrong : Program {
    static constexpr auto subject = "wrong_programs";
    static constexpr bool exhibit = true;
    static constexpr auto expected = violated(Kind);
};

/// Threads that share nothing else have met where each of them calls this.
inline volatile int common = 0;
inline void meet() { require(common == 0); }

/// `Program`, whose threads share nothing, with threads that meet: what it shows is that it is held all the same.
template <class Program>
struct met : Program {
    void run(int thread) {
        Program::run(thread);
        if constexpr (std::size(Program::threads) > 1) {
            meet();
        } else {
            std::thread other(meet);
            meet();
            other.join();
        }
    }
};

/// The thread of a program that starts and joins its threads itself.
inline constexpr std::array only_main{"main"};

}  // namespace ordeal::model_tests
