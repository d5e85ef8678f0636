// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/exhibits/printed_task.hpp"
#include "ordeal/coro/exhibits/task_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
struct printed_complete_against_await : complete_against_await<P, printed_task<P>> {
    static constexpr auto subject = "promise_as_printed";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_as_printed/complete_against_await", printed_complete_against_await);

template <atomic_policy P>
struct printed_complete_against_abandon : complete_against_abandon<P, printed_task<P>> {
    static constexpr auto subject = "promise_as_printed";
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
};

ORDEAL_SCENARIO("exhibit/promise_as_printed/complete_against_abandon", printed_complete_against_abandon);

template <atomic_policy P>
struct printed_poll_then_await : poll_then_await<P, printed_task<P>> {
    static constexpr auto subject = "promise_as_printed";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_as_printed/poll_then_await", printed_poll_then_await);

}  // namespace

}  // namespace ordeal::exhibits
