// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

namespace ordeal {

class snapshot;

namespace detail {

inline runtime* active_runtime = nullptr;
inline bool code_on_trial_runs = false;
[[noreturn]] void used_outside_a_scenario() noexcept;

}  // namespace detail

/// The engine's memory while an execution runs; ends the process with a message when none does, because a model
/// type was then used outside a scenario.
[[nodiscard]] inline runtime& current_runtime() noexcept {
    if (detail::active_runtime == nullptr) [[unlikely]]
        detail::used_outside_a_scenario();
    return *detail::active_runtime;
}

/// Whether code on trial is running now, so that allocations are its own.
[[nodiscard]] inline bool on_trial() noexcept { return detail::code_on_trial_runs; }

/// Begins and ends one execution under `engine`. At the beginning the heap, the frames and the fault injection of the
/// model are as new.
void begin_execution(runtime& engine);
void end_execution() noexcept;

/// What the model holds of an execution that goes on: its heap, frames and exceptions.
void save_execution(snapshot& to);
/// The execution goes on from there, under `engine`, whatever was run since.
void restore_execution(snapshot& from, runtime& engine);

/// Inside, allocations are the harness's and not the code on trial's.
class harness_scope {
public:
    harness_scope() noexcept : outer_(detail::code_on_trial_runs) { detail::code_on_trial_runs = false; }
    ~harness_scope() { detail::code_on_trial_runs = outer_; }
    harness_scope(const harness_scope&) = delete;
    harness_scope& operator=(const harness_scope&) = delete;

private:
    bool outer_;
};

/// Where the harness has what it opens while code on trial runs: the numbers below are those that this would have without it.
inline constexpr int first_descriptor_of_harness = 256;

}  // namespace ordeal
