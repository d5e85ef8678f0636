// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/policy/atomic_policy.hpp"

namespace ordeal::production {

/// What is on trial in a scenario over this event.
template <class Event>
inline constexpr const char* subject_of = nullptr;
template <atomic_policy P>
inline constexpr const char* subject_of<coro::manual_reset_event<P>> = "manual_reset_event";
template <atomic_policy P>
inline constexpr const char* subject_of<coro::awaitable_event<P>> = "awaitable_event";

/// A scenario over the policy and the event, as two that are over the policy. Clang 19 takes no constrained template that is a
/// member of one for what ORDEAL_SCENARIO wants.
template <template <class, class> class Scenario>
struct of {
    template <class P>
    using event = Scenario<P, coro::manual_reset_event<P>>;
    template <class P>
    using shared_event = Scenario<P, coro::awaitable_event<P>>;
};

}  // namespace ordeal::production
