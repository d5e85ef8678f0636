// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"

namespace ordeal {

/// The engine's memory while an execution runs; ends the process with a message when none does, because a model
/// type was then used outside a scenario.
[[nodiscard]] memory& port() noexcept;

/// Whether code on trial is running now, so that allocations are its own.
[[nodiscard]] bool on_trial() noexcept;

/// Begins and ends one execution under `engine`. At the beginning the heap, the frames and the fault injection of the
/// model are as new.
void begin_execution(memory& engine);
void end_execution() noexcept;

/// Inside, allocations are the harness's and not the code on trial's.
class harness_scope {
public:
    harness_scope() noexcept;
    ~harness_scope();
    harness_scope(const harness_scope&) = delete;
    harness_scope& operator=(const harness_scope&) = delete;

private:
    bool outer_;
};

}  // namespace ordeal
