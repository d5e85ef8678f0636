// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"
#include "ordeal/symbols/stack_walk.hpp"

#include <cstdint>
#include <functional>

namespace ordeal::detail {

/// What would have ended this process, or kept it from ending.
struct interruption {
    violation_kind kind;
    const char* message;
    std::uintptr_t address = 0;  ///< of an invalid access; 0: unknown, or there was none
    calling_function code{};     ///< of the trial that a signal has met; empty: none
};

/// While it exists, whatever would end this process while code on trial runs (a fatal signal, std::terminate), or never
/// end it (a loop without a step of the model), calls `on_violation` instead, in a signal handler on a stack of its
/// own. If that returns, the process ends as it would have. One at a time; for the process of one search.
class watchdog {
public:
    using violation_callback = std::function<void(const interruption& what)>;
    using step_counter = std::function<unsigned long long()>;
    /// Called at least once per second of processor time in which there were steps, or in which the engine was at work.
    using heartbeat_callback = std::function<void()>;

    watchdog(violation_callback on_violation, step_counter steps, heartbeat_callback on_heartbeat);
    ~watchdog();
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;

    /// In a process forked while a watchdog exists: restarts the timer that finds a loop without a step, which is not
    /// inherited. Does nothing without a watchdog, as the signal of that timer would end the process.
    static void watch_this_process() noexcept;
};

}  // namespace ordeal::detail
