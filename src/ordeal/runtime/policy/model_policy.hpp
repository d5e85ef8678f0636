// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/policy/model_atomic.hpp"
#include "ordeal/runtime/policy/model_cell.hpp"
#include "ordeal/runtime/policy/model_continuation.hpp"

#include <atomic>
#include <coroutine>
#include <source_location>

namespace ordeal {

/// The policy under which an engine explores: the names of std_policy, where each operation is a call of the runtime.
struct model_policy {
    template <class T>
    using atomic = detail::model_atomic<T>;
    using atomic_flag = detail::model_atomic_flag;
    template <class T>
    using cell = detail::model_cell<T>;
    using mutex = detail::model_mutex;
    using continuation = detail::model_continuation;

    [[nodiscard]] static std::coroutine_handle<> transfer(
        const continuation& next, const std::source_location& at = std::source_location::current()) {
        return next.transfer(at);
    }
    template <class Atomic>
    static void acquire_fence(const Atomic& /*atomic*/,
                              const std::source_location& at = std::source_location::current()) noexcept {
        const site_id id = sites().atomic_site(at, role::fence, "acquire_fence", order::acquire);
        current_runtime().fence(sites().effective(id), id);
    }
    static void yield(const std::source_location& at = std::source_location::current()) noexcept {
        current_runtime().yield(sites().plain_site(at, "yield"));
    }

    /// A fence as in [atomics.fences].
    static void fence(std::memory_order order,
                      const std::source_location& at = std::source_location::current()) noexcept {
        const site_id id = sites().atomic_site(at, role::fence, "fence", from_std(order));
        current_runtime().fence(sites().effective(id), id);
    }
};

static_assert(atomic_policy<model_policy>);

}  // namespace ordeal
