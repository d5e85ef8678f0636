// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "when_all.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstddef>

namespace examples {
namespace {

template <ordeal::atomic_policy P>
struct source {
    ordeal::coro::manual_reset_event<P> filled;
    typename P::template cell<int> value{0};

    void fill(int with) {
        value.write() = with;
        filled.set();
    }
    ordeal::coro::task<int, P> read() {
        co_await filled;
        co_return value.read();
    }
};

template <ordeal::atomic_policy P>
struct two_sources {
    static constexpr auto about = "Two threads fill what a third one awaits: it gets both values, in their order.";
    static constexpr auto threads = std::array{"awaits and fills", "fills"};
    std::array<source<P>, 2> sources;
    bool done = false;

    void run(int thread) {
        if (thread == 0) {
            await_both();
            sources[0].fill(20);
        } else {
            sources[1].fill(22);
        }
    }
    ordeal::detached await_both() {
        const auto [first, second] = co_await when_all<P>(sources[0].read(), sources[1].read());
        ordeal::require(first == 20 && second == 22);
        done = true;
    }
    void finish() { ordeal::require(done); }
};
ORDEAL_SCENARIO("when_all/two_sources", two_sources);

template <ordeal::atomic_policy P>
struct one_source {
    static constexpr auto about = "The only child may end before its parent is suspended, or after.";
    static constexpr auto threads = std::array{"awaits", "fills"};
    source<P> filled;
    bool done = false;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            filled.fill(42);
        }
    }
    ordeal::detached await() {
        const auto [value] = co_await when_all<P>(filled.read());
        ordeal::require(value == 42);
        done = true;
    }
    void finish() { ordeal::require(done); }
};
ORDEAL_SCENARIO("when_all/one_source", one_source);

}  // namespace
}  // namespace examples
