// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ordeal::production {
namespace {

// A coroutine's parameter, destroyed with the frame: notes on which thread that was.
template <atomic_policy P>
class frame_witness {
public:
    explicit frame_witness(std::uintptr_t& freed_on) noexcept : freed_on_(&freed_on) {}
    frame_witness(frame_witness&& other) noexcept : freed_on_(std::exchange(other.freed_on_, nullptr)) {}
    frame_witness& operator=(frame_witness&&) = delete;
    ~frame_witness() {
        if (freed_on_ != nullptr) *freed_on_ = thread_mark<P>();
    }

private:
    std::uintptr_t* freed_on_;
};

template <atomic_policy P>
struct abandon_against_complete {
    static constexpr auto subject = "task";
    static constexpr auto about =
        "When the task is destroyed while its coroutine completes, does exactly one of them free the frame, last?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto outcomes = who_frees;
    gate<P> begin;
    std::uintptr_t freed_on = 0;
    std::array<std::uintptr_t, 2> mark{};
    std::optional<coro::task<int, P>> work = make(frame_witness<P>(freed_on));

    void run(int thread) {
        mark[static_cast<std::size_t>(thread)] = thread_mark<P>();
        if (thread == 0) {
            work.reset();
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make(frame_witness<P> /*witness*/) {
        co_await begin;
        co_return 42;
    }
    [[nodiscard]] std::string outcome() const {
        return freed_on == mark[0] ? "the owner frees" : "the coroutine frees";
    }
};
ORDEAL_SCENARIO("task/abandon_against_complete", abandon_against_complete);

template <atomic_policy P>
struct poll_then_abandon {
    static constexpr auto subject = "task";
    static constexpr auto about = "May the owner ask is_ready() and destroy the task, whatever the answer?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"ready, the owner frees", grade::acceptable, "it had completed when the owner looked"},
        outcome_grade{"not ready, the owner frees", grade::acceptable, "it completed after the owner looked"},
        outcome_grade{"not ready, the coroutine frees", grade::acceptable, "it was given up before it completed"},
        outcome_grade{"ready, the coroutine frees", grade::forbidden, "a task that is ready is the owner's to free"},
    };
    gate<P> begin;
    std::uintptr_t freed_on = 0;
    std::array<std::uintptr_t, 2> mark{};
    bool was_ready = false;
    std::optional<coro::task<int, P>> work = make(frame_witness<P>(freed_on));

    void run(int thread) {
        mark[static_cast<std::size_t>(thread)] = thread_mark<P>();
        if (thread == 0) {
            was_ready = work->is_ready();
            work.reset();
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make(frame_witness<P> /*witness*/) {
        co_await begin;
        co_return 42;
    }
    void finish() { require(!was_ready || freed_on == mark[0], "the owner frees a task that is ready"); }
    [[nodiscard]] std::string outcome() const {
        return std::string(was_ready ? "ready" : "not ready") +
               (freed_on == mark[0] ? ", the owner frees" : ", the coroutine frees");
    }
};
ORDEAL_SCENARIO("task/poll_then_abandon", poll_then_abandon);

template <atomic_policy P>
struct assigned_over_against_complete {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does assigning another task over one whose coroutine still runs abandon it?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto outcomes = who_frees;
    gate<P> begin;
    std::uintptr_t freed_on = 0;
    std::array<std::uintptr_t, 2> mark{};
    coro::task<int, P> work = make(frame_witness<P>(freed_on));
    int seen = 0;

    void run(int thread) {
        mark[static_cast<std::size_t>(thread)] = thread_mark<P>();
        if (thread == 0) {
            work = make_ready();
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make(frame_witness<P> /*witness*/) {
        co_await begin;
        co_return 1;
    }
    coro::task<int, P> make_ready() { co_return 42; }
    detached await() { seen += co_await std::move(work); }
    void finish() {
        require(work.is_ready(), "the task assigned is the one that has ended");
        await();
        require(seen == 42, "its result is the one awaited");
    }
    [[nodiscard]] std::string outcome() const {
        return freed_on == mark[0] ? "the owner frees" : "the coroutine frees";
    }
};
ORDEAL_SCENARIO("task/assigned_over_against_complete", assigned_over_against_complete);

template <atomic_policy P>
struct awaiter_destroyed_then_complete {
    static constexpr auto subject = "task";
    static constexpr auto about =
        "When the awaiting coroutine is destroyed while it is suspended, does the task's coroutine, which completes "
        "later, resume nobody and free itself?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    gate<P> begin;
    meeting<P> destroyed_and_due;
    std::uintptr_t freed_on = 0;
    bool ended = false;
    coro::task<int, P> work = make(frame_witness<P>(freed_on));
    bool resumed = false;

    void run(int thread) {
        if (thread == 0) {
            const owned_coroutine<P> awaiting = await();
        }
        // The task may complete only after the destruction. It does so on the thread that comes second.
        if (destroyed_and_due.second()) begin.open();
    }
    coro::task<int, P> make(frame_witness<P> /*witness*/) {
        co_await begin;
        ended = true;
        co_return 42;
    }
    owned_coroutine<P> await() {
        (void)co_await std::move(work);
        resumed = true;
    }
    void finish() {
        require(ended && freed_on != 0, "the coroutine goes on to its end and frees its frame");
        require(!resumed, "nobody is resumed");
    }
};
ORDEAL_SCENARIO("task/awaiter_destroyed_then_complete", awaiter_destroyed_then_complete);

template <atomic_policy P>
struct complete_against_await_then_awaiter_destroyed {
    static constexpr auto subject = "task";
    static constexpr auto about =
        "When the awaiting coroutine is destroyed after it went on, is the task's frame freed exactly once?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto outcomes = paths;
    gate<P> begin;
    gate<P> never;
    coro::task<int, P> work = make();
    std::optional<owned_coroutine<P>> awaiting;
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            awaiting.emplace(await());
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make() {
        co_await begin;
        co_return 42;
    }
    owned_coroutine<P> await() {
        seen += co_await observed(std::move(work), how);
        co_await never;
    }
    void finish() {
        awaiting.reset();
        require(seen == 42, "the awaiting coroutine goes on once, and sees the result");
    }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/complete_against_await_then_awaiter_destroyed", complete_against_await_then_awaiter_destroyed);

}  // namespace
}  // namespace ordeal::production
