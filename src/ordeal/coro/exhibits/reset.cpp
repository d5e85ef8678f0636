// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same event, reset() with the orders of five publications, and two questions.
//
//   reset()                       | acknowledgement (release) | takeover (acquire)
//   ------------------------------+---------------------------+-------------------
//   cppcoro    relaxed            | data race                 | data race
//   Baker      acquire            | data race                 | held
//   libcoro    acquire            | data race                 | held
//   libunifex  acq_rel            | held                      | held
//   folly      acq_rel / relaxed  | held                      | held
#include "ordeal/coro/exhibits/reset_designs.hpp"
#include "ordeal/coro/exhibits/reset_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
struct baker_awaited_again : awaited_again<P, baker_event<P>> {};
ORDEAL_SCENARIO("exhibit/reset_baker/awaited_again", baker_awaited_again);

template <atomic_policy P>
struct baker_acknowledgement : acknowledgement<P, baker_event<P>> {
    static constexpr auto expected = violated(violation_kind::data_race);
};
ORDEAL_SCENARIO("exhibit/reset_baker/acknowledgement", baker_acknowledgement);

template <atomic_policy P>
struct baker_takeover : takeover<P, baker_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_baker/takeover", baker_takeover);

template <atomic_policy P>
struct cppcoro_awaited_again : awaited_again<P, cppcoro_event<P>> {};
ORDEAL_SCENARIO("exhibit/reset_cppcoro/awaited_again", cppcoro_awaited_again);

template <atomic_policy P>
struct cppcoro_acknowledgement : acknowledgement<P, cppcoro_event<P>> {
    static constexpr auto expected = violated(violation_kind::data_race);
};
ORDEAL_SCENARIO("exhibit/reset_cppcoro/acknowledgement", cppcoro_acknowledgement);

template <atomic_policy P>
struct cppcoro_takeover : takeover<P, cppcoro_event<P>> {
    static constexpr auto expected = violated(violation_kind::data_race);
};
ORDEAL_SCENARIO("exhibit/reset_cppcoro/takeover", cppcoro_takeover);

template <atomic_policy P>
struct libcoro_awaited_again : awaited_again<P, libcoro_event<P>> {};
ORDEAL_SCENARIO("exhibit/reset_libcoro/awaited_again", libcoro_awaited_again);

template <atomic_policy P>
struct libcoro_acknowledgement : acknowledgement<P, libcoro_event<P>> {
    static constexpr auto expected = violated(violation_kind::data_race);
};
ORDEAL_SCENARIO("exhibit/reset_libcoro/acknowledgement", libcoro_acknowledgement);

template <atomic_policy P>
struct libcoro_takeover : takeover<P, libcoro_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_libcoro/takeover", libcoro_takeover);

template <atomic_policy P>
struct libunifex_awaited_again : awaited_again<P, libunifex_event<P>> {};
ORDEAL_SCENARIO("exhibit/reset_libunifex/awaited_again", libunifex_awaited_again);

template <atomic_policy P>
struct libunifex_acknowledgement : acknowledgement<P, libunifex_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_libunifex/acknowledgement", libunifex_acknowledgement);

template <atomic_policy P>
struct libunifex_takeover : takeover<P, libunifex_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_libunifex/takeover", libunifex_takeover);

template <atomic_policy P>
struct folly_awaited_again : awaited_again<P, folly_event<P>> {};
ORDEAL_SCENARIO("exhibit/reset_folly/awaited_again", folly_awaited_again);

template <atomic_policy P>
struct folly_acknowledgement : acknowledgement<P, folly_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_folly/acknowledgement", folly_acknowledgement);

template <atomic_policy P>
struct folly_takeover : takeover<P, folly_event<P>> {
    static constexpr auto expected = held;
};
ORDEAL_SCENARIO("exhibit/reset_folly/takeover", folly_takeover);

}  // namespace

}  // namespace ordeal::exhibits
