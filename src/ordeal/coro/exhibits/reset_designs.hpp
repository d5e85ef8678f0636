// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/exhibits/queue_event.hpp"

#include <atomic>

namespace ordeal::exhibits {

// One event, reset() as five publications have it: a compare-exchange from set to idle that returns nothing. They
// differ in its orders alone, and none gives a reason.

/// L. Baker, "Understanding operator co_await" (2017).
template <atomic_policy P>
class baker_event : public queue_event<P, baker_event<P>> {
public:
    static constexpr auto design = "reset_baker";

    void reset() noexcept {
        void* expected = this;
        // order: (success) acquire <- set: what the last setter did. It releases nothing.
        // order: (failure) acquire, by default: the value seen is not used.
        this->state_.compare_exchange_strong(expected, nullptr, std::memory_order_acquire, std::memory_order_acquire);
    }
};

/// cppcoro, async_manual_reset_event.
template <atomic_policy P>
class cppcoro_event : public queue_event<P, cppcoro_event<P>> {
public:
    static constexpr auto design = "reset_cppcoro";

    void reset() noexcept {
        void* expected = this;
        // order: (success) relaxed: nothing is handed over, either way.
        // order: (failure) relaxed: the value seen is not used.
        this->state_.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed, std::memory_order_relaxed);
    }
};

/// libcoro, event.
template <atomic_policy P>
class libcoro_event : public queue_event<P, libcoro_event<P>> {
public:
    static constexpr auto design = "reset_libcoro";

    void reset() noexcept {
        void* expected = this;
        // order: (success) acquire <- set: what the last setter did. It releases nothing.
        // order: (failure) acquire, by default: the value seen is not used.
        this->state_.compare_exchange_strong(expected, nullptr, std::memory_order_acquire, std::memory_order_acquire);
    }
};

/// libunifex, async_manual_reset_event.
template <atomic_policy P>
class libunifex_event : public queue_event<P, libunifex_event<P>> {
public:
    static constexpr auto design = "reset_libunifex";

    void reset() noexcept {
        void* expected = this;
        // order: (success) release -> is_set: what the resetter did before. acquire <- set: what the last setter did.
        // order: (failure) acquire, by default: the value seen is not used.
        this->state_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, std::memory_order_acquire);
    }
};

/// folly, coro::Baton.
template <atomic_policy P>
class folly_event : public queue_event<P, folly_event<P>> {
public:
    static constexpr auto design = "reset_folly";

    void reset() noexcept {
        void* expected = this;
        // order: (success) release -> is_set: what the resetter did before. acquire <- set: what the last setter did.
        // order: (failure) relaxed: the value seen is not used.
        this->state_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, std::memory_order_relaxed);
    }
};

}  // namespace ordeal::exhibits
