// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of its own over a policy, which both engines search.
#include "ordeal/cli/command_line.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>

namespace {

template <ordeal::atomic_policy P>
struct one_wins {
    static constexpr auto threads = std::array{"first", "second"};

    void run(int thread) { won[thread] = taken.exchange(1, std::memory_order_relaxed) == 0; }
    void finish() { ordeal::require(won[0] != won[1]); }

    typename P::template atomic<int> taken{0};
    bool won[2]{};
};

ORDEAL_SCENARIO("one_wins", one_wins);

}  // namespace

int main(int argc, char** argv) { return ordeal::run_command_line(argc, argv); }
