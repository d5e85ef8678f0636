// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/exhibits/parked.hpp"
#include "ordeal/coro/exhibits/transition_log.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <string>
#include <utility>

namespace ordeal::exhibits {

/// What every scenario of a published task has: a coroutine that one thread completes while the owner has the task.
template <atomic_policy P, class Task>
struct task_scenario {
    static constexpr bool exhibit = true;
    static constexpr auto threads = std::array{"owner", "coroutine"};

    transition_log log;
    parked<P> start;
    Task task = produce();
    int seen = 0;

    Task produce() {
        co_await start;
        co_return 42;
    }
    detached consume() { seen = co_await std::move(task); }
    std::string outcome() { return log.sequence(); }
};

template <atomic_policy P, class Task>
struct complete_against_await : task_scenario<P, Task> {
    static constexpr auto about = "The coroutine completes while its owner awaits it.";

    void run(int thread) {
        if (thread == 0) {
            this->consume();
        } else {
            this->start.resume();
        }
    }
    void finish() { require(this->seen == 42); }
};

template <atomic_policy P, class Task>
struct complete_against_abandon : task_scenario<P, Task> {
    static constexpr auto about = "The coroutine completes while its owner gives it up.";

    void run(int thread) {
        if (thread == 0) {
            this->task.abandon();
        } else {
            this->start.resume();
        }
    }
};

template <atomic_policy P, class Task>
struct poll_then_await : task_scenario<P, Task> {
    static constexpr auto about =
        "The ready check meets no state but running and completed, with one awaiter at a time.";

    void run(int thread) {
        if (thread == 0) {
            (void)this->task.is_ready();
            this->consume();
        } else {
            this->start.resume();
        }
    }
    void finish() { require(this->seen == 42); }
};

}  // namespace ordeal::exhibits
