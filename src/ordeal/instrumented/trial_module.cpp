// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of every trial library, and the only uninstrumented part. It has no template instances and no inline functions,
// which the linker could use in place of the instrumented ones of the code on trial.
#include "ordeal/scenario/headers_version.hpp"
#include "ordeal/scenario/trial_registration.hpp"
#include "ordeal/trial.h"
#include "ordeal/version.hpp"

#ifndef ORDEAL_TRIAL_NAME
#error "ordeal: this file is compiled by ordeal_add_trial() alone"
#endif

// The compiler plugin skips a module with this symbol: compiler/clang_plugin.cpp.
extern "C" [[gnu::visibility("hidden")]] const char ordeal_not_on_trial = 0;

/// The user may define one of these instead of scenarios, in C++ or in C.
[[gnu::weak]] void trial();
extern "C" [[gnu::weak]] void ordeal_c_trial() __asm__("trial");

namespace {

const char inside = 0;

void run_trial(void* /*object*/, int /*thread*/) { trial(); }
void run_c_trial(void* /*object*/, int /*thread*/) { ordeal_c_trial(); }

// Before the constructors of the code on trial: their operations are already attributed to this library.
[[gnu::constructor(101)]] void register_module() {
    ordeal_require_same_headers("the trial '" ORDEAL_TRIAL_NAME "'", ORDEAL_VERSION_STRING, ORDEAL_ABI);
    ordeal::detail::register_source_root(ORDEAL_TRIAL_ROOT);
    ordeal::detail::register_trial_module(&inside, ORDEAL_HAS_PLUGIN != 0);
}

[[gnu::constructor]] void register_functions() {
    constexpr auto name = ORDEAL_TRIAL_NAME;
    if (&trial != nullptr) ordeal_register_trial(name, name, &run_trial);
    if (&ordeal_c_trial != nullptr) ordeal_register_trial(name, name, &run_c_trial);
}

}  // namespace
