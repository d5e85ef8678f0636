// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <utility>

namespace ordeal {

namespace detail {
class snapshot;

inline runtime* active_runtime = nullptr;
inline bool code_on_trial_runs = false;
inline bool harness_calls_user_code = false;
[[noreturn]] void used_outside_a_scenario() noexcept;

}  // namespace detail

/// The runtime of the current execution; ends the process with a message if there is none, because a model type was
/// then used outside a scenario.
[[nodiscard]] inline runtime& current_runtime() noexcept {
    if (detail::active_runtime == nullptr) [[unlikely]]
        detail::used_outside_a_scenario();
    return *detail::active_runtime;
}

/// Whether code on trial is running, so that allocations belong to it.
[[nodiscard]] inline bool on_trial() noexcept { return detail::code_on_trial_runs; }

/// Begin and end one execution under `engine`. The beginning resets the heap, the frames and the fault injection of the
/// model.
void begin_execution(runtime& engine);
void end_execution() noexcept;

/// Saves the model's state of a running execution: its heap, frames and exceptions.
void save_execution(detail::snapshot& to);
/// Resumes the execution from that state under `engine`, whatever was run since.
void restore_execution(detail::snapshot& from, runtime& engine);

/// Inside, allocations belong to the harness.
class harness_scope {
public:
    // On real threads it is false, read by many, and not written.
    harness_scope() noexcept : outer_(detail::code_on_trial_runs) {
        if (outer_) detail::code_on_trial_runs = false;
    }
    ~harness_scope() {
        if (detail::code_on_trial_runs != outer_) detail::code_on_trial_runs = outer_;
    }
    harness_scope(const harness_scope&) = delete;
    harness_scope& operator=(const harness_scope&) = delete;

private:
    bool outer_;
};

/// Inside, code of the user that the harness calls outside executions, such as a specification, allocates as the
/// harness does. Elsewhere what it allocates belongs to the state that each execution begins with, and is never freed.
class harness_call {
public:
    harness_call() noexcept : outer_(std::exchange(detail::harness_calls_user_code, true)) {}
    ~harness_call() { detail::harness_calls_user_code = outer_; }
    harness_call(const harness_call&) = delete;
    harness_call& operator=(const harness_call&) = delete;

private:
    bool outer_;
};

/// The harness's own descriptors opened while code on trial runs are moved here, so that the code on trial sees the
/// usual numbers.
inline constexpr int first_descriptor_of_harness = 256;

}  // namespace ordeal
