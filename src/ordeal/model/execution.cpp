// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/model/execution.hpp"

#include "ordeal/model/frames.hpp"
#include "ordeal/model/heap.hpp"

#include <cstdio>
#include <cstdlib>

namespace ordeal {

void detail::used_outside_a_scenario() noexcept {
    std::fputs("ordeal: a type of model_policy was used outside a scenario\n", stderr);
    std::abort();
}

void begin_execution(memory& engine) {
    heap::reset();
    reset_frames();
    detail::active_port = &engine;
    detail::code_on_trial_runs = true;
}

void end_execution() noexcept {
    detail::code_on_trial_runs = false;
    detail::active_port = nullptr;
}

}  // namespace ordeal
