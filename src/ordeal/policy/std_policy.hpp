// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/policy/cell.hpp"

#include <atomic>
#include <coroutine>
#include <mutex>
#include <thread>

// ORDEAL_TRIAL: compiled like that to be model-checked, by a checker that knows fences.
#if defined(ORDEAL_TRIAL)
#elif defined(__SANITIZE_THREAD__)
#define ORDEAL_POLICY_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORDEAL_POLICY_TSAN 1
#endif
#endif

namespace ordeal {

/// Production: the standard library's own types, nothing added.
struct std_policy {
    template <class T>
    using atomic = std::atomic<T>;         ///< with each of its members
    using atomic_flag = std::atomic_flag;  ///< with each of its members

    template <class T>
    using cell = ordeal::cell<T>;  ///< plain data that threads share

    using mutex = std::mutex;                      ///< not recursive
    using continuation = std::coroutine_handle<>;  ///< made where a coroutine suspends

    /// Resumes `next` by symmetric transfer: return the result from await_suspend.
    [[nodiscard]] static std::coroutine_handle<> transfer(continuation next) noexcept { return next; }

    /// An acquire fence that follows a relaxed or release read-modify-write of `atomic`.
    ///
    /// ThreadSanitizer does not model fences and would report the code after a correct one as a race; there
    /// an acquire load of the same atomic takes its place.
    template <class Atomic>
    static void acquire_fence([[maybe_unused]] const Atomic& atomic) noexcept {
#ifdef ORDEAL_POLICY_TSAN
        (void)atomic.load(std::memory_order_acquire);
#else
        std::atomic_thread_fence(std::memory_order_acquire);
#endif
    }

    /// A fence as in [atomics.fences]. ThreadSanitizer does not see it: use acquire_fence() where that is enough.
    static void fence(std::memory_order order) noexcept { std::atomic_thread_fence(order); }

    /// Lets another thread run; used in loops that wait for a step of another thread that is already under way.
    static void yield() noexcept { std::this_thread::yield(); }
};

static_assert(atomic_policy<std_policy>);

}  // namespace ordeal

#undef ORDEAL_POLICY_TSAN
