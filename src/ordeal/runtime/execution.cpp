// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/execution.hpp"

#include "ordeal/runtime/memory/coroutine_frames.hpp"
#include "ordeal/runtime/memory/exception_memory.hpp"
#include "ordeal/runtime/memory/heap.hpp"

#include <cstdio>
#include <cstdlib>

namespace ordeal {

using namespace detail;

void detail::used_outside_a_scenario() noexcept {
    std::fputs("ordeal: a type of model_policy was used outside a scenario\n", stderr);
    std::abort();
}

void begin_execution(runtime& engine) {
    heap::reset();
    reset_frames();
    exception_memory::reset();
    detail::active_runtime = &engine;
    detail::code_on_trial_runs = true;
}

void save_execution(snapshot& to) {
    heap::save(to);
    save_frames(to);
    exception_memory::save(to);
}

void restore_execution(snapshot& from, runtime& engine) {
    heap::restore(from);
    restore_frames(from);
    exception_memory::restore(from);
    detail::active_runtime = &engine;
}

void end_execution() noexcept {
    detail::code_on_trial_runs = false;
    detail::active_runtime = nullptr;
}

}  // namespace ordeal
