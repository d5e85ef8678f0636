// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published promise with one thing changed: abandoning releases, the result has an atomic discriminator.
#include "ordeal/coro/exhibits/printed_task.hpp"
#include "ordeal/coro/exhibits/task_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

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

}  // namespace

}  // namespace ordeal::exhibits
