// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published promise as printed; with one thing changed: abandoning releases, the result has an atomic
// discriminator; and the one before it, which counts references.
#include "ordeal/coro/exhibits/counted_task.hpp"
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

// With the outcomes of this and the next one the run tells which transition sequences were visited.
template <atomic_policy P>
struct releasing_abandon_complete_against_abandon
    : complete_against_abandon<P, printed_task<P, releasing_abandon_word<P>>> {
    static constexpr auto subject = "promise_releasing_abandon";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_releasing_abandon/complete_against_abandon",
                releasing_abandon_complete_against_abandon);

template <atomic_policy P>
struct releasing_abandon_complete_against_await
    : complete_against_await<P, printed_task<P, releasing_abandon_word<P>>> {
    static constexpr auto subject = "promise_releasing_abandon";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_releasing_abandon/complete_against_await", releasing_abandon_complete_against_await);

template <atomic_policy P>
struct atomic_discriminator : complete_against_await<P, printed_task<P, releasing_abandon_word<P>, atomic_result<P>>> {
    static constexpr auto subject = "promise_atomic_discriminator";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_atomic_discriminator/complete_against_await", atomic_discriminator);

// The state word alone orders the result: the discriminator may be plain.
template <atomic_policy P>
struct plain_discriminator : complete_against_await<P, printed_task<P, releasing_abandon_word<P>, plain_result<P>>> {
    static constexpr auto subject = "promise_plain_discriminator";
    static constexpr auto expected = held;
};

ORDEAL_SCENARIO("exhibit/promise_plain_discriminator/complete_against_await", plain_discriminator);

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
