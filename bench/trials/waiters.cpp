// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../measured_scenarios.hpp"

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"

#include <array>

namespace ordeal::bench {

namespace {

template <class P>
struct waiters_3 : set_against_waiters<3, coro::manual_reset_event>::test<P> {};
ORDEAL_SCENARIO("waiters/3", waiters_3);

template <class P>
struct waiters_4 : set_against_waiters<4, coro::manual_reset_event>::test<P> {};
ORDEAL_SCENARIO("waiters/4", waiters_4);

template <class P>
struct waiters_5 : set_against_waiters<5, coro::manual_reset_event>::test<P> {};
ORDEAL_SCENARIO("waiters/5", waiters_5);

// What is declared divides the number of executions by up to 6! = 720.
template <class P>
struct interchangeable_6 : set_against_waiters<6, coro::manual_reset_event>::test<P> {
    static constexpr auto interchangeable = std::array{1, 2, 3, 4, 5, 6};
};
ORDEAL_SCENARIO("waiters/interchangeable_6", interchangeable_6);

template <class P>
struct shared_2 : set_against_waiters<2, coro::awaitable_event>::test<P> {};
ORDEAL_SCENARIO("shared/2", shared_2);

template <class P>
struct shared_3 : set_against_waiters<3, coro::awaitable_event>::test<P> {};
ORDEAL_SCENARIO("shared/3", shared_3);

}  // namespace

}  // namespace ordeal::bench
