// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What engine_bench.cpp measures with the policy, without one.
#include "bench/measured_scenarios.hpp"
#include "ordeal/coro/manual_reset_event.hpp"

namespace ordeal::bench {

namespace {

template <class P>
struct waiters_4 : set_against_waiters<4, coro::manual_reset_event>::test<P> {};
ORDEAL_SCENARIO("bench/waiters_4", waiters_4);

template <class P>
struct accesses_10 : plain_accesses<10>::test<P> {};
ORDEAL_SCENARIO("bench/accesses_10", accesses_10);

template <class P>
struct accesses_100 : plain_accesses<100>::test<P> {};
ORDEAL_SCENARIO("bench/accesses_100", accesses_100);

template <class P>
struct accesses_1000 : plain_accesses<1000>::test<P> {};
ORDEAL_SCENARIO("bench/accesses_1000", accesses_1000);

}  // namespace

}  // namespace ordeal::bench
