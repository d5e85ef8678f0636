// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../src/ordeal/coro/exhibits/chase_lev_deque.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace ordeal::bench {

namespace {

template <atomic_policy P>
struct deque {
    static constexpr auto about =
        "The owner of a work-stealing deque pushes three elements and takes two, two thieves steal twice each.";
    static constexpr auto threads = std::array{"owner", "thief", "thief"};
    exhibits::chase_lev_deque<P, 4> elements;
    std::array<int, 6> taken{};

    void run(int thread) {
        const auto first = static_cast<std::size_t>(2 * thread);
        if (thread == 0) {
            for (int element = 1; element <= 3; ++element) require(elements.push(element));
        }
        for (std::size_t i = first; i < first + 2; ++i) taken.at(i) = thread == 0 ? elements.take() : elements.steal();
    }
    void finish() {
        int sum = 0;
        for (const int each : taken) sum += each > 0 ? each : 0;
        for (int rest = elements.take(); rest > 0; rest = elements.take()) sum += rest;
        require(sum == 6, "each element is taken once");
    }
};
ORDEAL_SCENARIO("deque/two_thieves", deque);

}  // namespace

}  // namespace ordeal::bench
