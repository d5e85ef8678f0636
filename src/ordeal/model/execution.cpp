// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/model/execution.hpp"

#include "ordeal/model/exception_memory.hpp"
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
    exception_memory::reset();
    detail::active_port = &engine;
    detail::code_on_trial_runs = true;
}

void keep_execution(kept_bytes& to) {
    heap::keep(to);
    keep_frames(to);
    exception_memory::keep(to);
}

void put_back_execution(kept_bytes& from, memory& engine) {
    heap::put_back(from);
    put_back_frames(from);
    exception_memory::put_back(from);
    detail::active_port = &engine;
}

void end_execution() noexcept {
    detail::code_on_trial_runs = false;
    detail::active_port = nullptr;
}

}  // namespace ordeal
