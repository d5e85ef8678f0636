// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/awaitable.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace examples {

namespace detail {

// Counts the children that have not ended, and the parent until it is suspended. Who comes last goes on with the
// parent: a child by resuming it, the parent by not suspending.
template <ordeal::atomic_policy P>
class children {
public:
    explicit children(std::uint32_t count) noexcept : left_(count + 1) {}

    // Lifetime: if it is the last, the parent runs in here, and *this may be gone when it returns.
    void end_one() noexcept {
        if (!arrive()) return;
        typename P::continuation parent = parent_.read();
        parent.resume();
    }

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    // Lifetime: after arrive() a child may resume the parent, and *this be gone.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> parent) noexcept {
        parent_.write() = typename P::continuation(parent);
        return !arrive();
    }
    void await_resume() const noexcept {}

private:
    [[nodiscard]] bool arrive() noexcept {
        // order: release -> arrive: of a child its result; of the parent its suspended frame.
        //        acquire <- arrive: these, for the last one.
        return left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    typename P::template atomic<std::uint32_t> left_;
    typename P::template cell<typename P::continuation> parent_{};
};

// Plain data of one child, which the counter hands to the parent.
template <class T, ordeal::atomic_policy P>
using place = typename P::template cell<std::optional<T>>;

template <ordeal::atomic_policy P, class Awaitable, class T>
ordeal::coro::detached start(Awaitable& awaited, place<T, P>& result, children<P>& running) {
    result.write().emplace(co_await std::move(awaited));
    running.end_one();
}

}  // namespace detail

/// Awaits all of `awaited` at the same time; the results, in their order.
///
/// Thread safety: the awaitables may complete on any threads.
/// Resumption:    on the thread of the last one that completes, or on the caller's thread if all have completed.
/// Ordering:      what each of them did happens before `co_await` on the task completes.
/// Lifetime:      the awaitables are moved into the frame of the task, and stay there until all have completed. So a
///                task that is abandoned still awaits them all.
/// Errors:        std::bad_alloc when the frame of the task cannot be allocated. An awaitable that throws calls
///                std::terminate, and so does a child whose frame cannot be allocated.
/// Source:        the counter is that of L. Baker's when_all in cppcoro (2017); orders re-derived.
template <ordeal::atomic_policy P = ordeal::std_policy, ordeal::coro::awaitable... Awaitables>
ordeal::coro::task<std::tuple<ordeal::coro::await_result_t<Awaitables>...>, P> when_all(Awaitables... awaited) {
    std::tuple<detail::place<ordeal::coro::await_result_t<Awaitables>, P>...> results;
    detail::children<P> running(sizeof...(Awaitables));
    std::apply(
        [&](auto&... each) noexcept {
            (detail::start<P, Awaitables, ordeal::coro::await_result_t<Awaitables>>(awaited, each, running), ...);
        },
        results);
    co_await running;
    co_return std::apply([](auto&... each) { return std::tuple(*std::move(each.write())...); }, results);
}

}  // namespace examples
