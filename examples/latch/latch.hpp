// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <cstdint>

namespace examples {

/// A latch that coroutines await: it lets them through once it was counted down to zero.
///
/// Thread safety: count_down(), is_down() and co_await by any number of threads; count_down() as often as the count
/// says.
/// Resumption:    the last count_down() resumes the waiters on its own thread, the newest first.
/// Ordering:      what happened before each count_down() happens before co_await completes, and before is_down()
///                returns true.
/// Lifetime:      who was let through, or got true from is_down(), may destroy it.
/// Source:        L. Baker's async_latch in cppcoro (2017): a counter in front of an event; orders re-derived.
template <ordeal::atomic_policy P = ordeal::std_policy>
class latch {
public:
    explicit latch(std::uint32_t count) noexcept : left_(count), down_(count == 0) {}

    void count_down() noexcept {
        // order: release -> count_down: what was done before, for the last one, who lets everybody through.
        //        acquire <- count_down: what all others did before.
        if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) down_.set();
    }
    [[nodiscard]] bool is_down() const noexcept { return down_.is_set(); }
    [[nodiscard]] auto operator co_await() noexcept { return down_.operator co_await(); }

private:
    typename P::template atomic<std::uint32_t> left_;
    ordeal::coro::manual_reset_event<P>
        down_;  // of its own: whoever saw zero in left_ might come before set() is called
};

}  // namespace examples
