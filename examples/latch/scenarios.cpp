// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "latch.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace examples {
namespace {

template <ordeal::atomic_policy P>
struct waits_for_two {
    static constexpr auto about = "Two threads count down, a coroutine waits for both and sees what both did.";
    static constexpr auto threads = std::array{"waits", "counts", "counts"};
    static constexpr auto interchangeable = std::array{1, 2};
    latch<P> done{2};
    std::array<typename P::template cell<int>, 2> parts;
    int sum = 0;

    void run(int thread) {
        if (thread == 0) {
            wait();
        } else {
            parts.at(static_cast<std::size_t>(thread - 1)).write() = 21;
            done.count_down();
        }
    }
    ordeal::detached wait() {
        co_await done;
        for (const auto& each : parts) sum += each.read();
    }
    void finish() { ordeal::require(sum == 42); }
};
ORDEAL_SCENARIO("latch/waits_for_two", waits_for_two);

template <ordeal::atomic_policy P>
struct destroyed_when_down {
    static constexpr auto about = "Who sees that the latch is down destroys it: may the last count_down() still run?";
    static constexpr auto threads = std::array{"destroys", "counts"};
    latch<P>* done = new latch<P>(1);
    latch<P>* const known = done;

    void run(int thread) {
        if (thread == 1) {
            known->count_down();
        } else if (done->is_down()) {
            destroy();
        }
    }
    void finish() {
        if (done != nullptr) destroy();
    }
    void destroy() {
        delete done;
        done = nullptr;
    }
};
ORDEAL_SCENARIO("latch/destroyed_when_down", destroyed_when_down);

}  // namespace
}  // namespace examples
