// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/exhibits/counted_task.hpp"
#include "ordeal/coro/exhibits/task_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
struct counted_promise_complete_against_abandon : complete_against_abandon<P, counted_task<P>> {
    static constexpr auto subject = "counted_promise";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/counted_promise/complete_against_abandon", counted_promise_complete_against_abandon);

template <atomic_policy P>
struct counted_promise_complete_against_await : complete_against_await<P, counted_task<P>> {
    static constexpr auto subject = "counted_promise";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/counted_promise/complete_against_await", counted_promise_complete_against_await);

// Without the fence the party that comes last destroys what the other still used, as far as it can tell.
template <atomic_policy P>
struct counted_promise_no_fence : complete_against_abandon<P, counted_task<P, false>> {
    static constexpr auto subject = "counted_promise_no_fence";
    static constexpr auto expected = violated(violation_kind::unsynchronised_destruction);
};

ORDEAL_SCENARIO("exhibit/counted_promise_no_fence/complete_against_abandon", counted_promise_no_fence);

}  // namespace

}  // namespace ordeal::exhibits
