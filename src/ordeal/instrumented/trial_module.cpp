// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of every trial library, and the only uninstrumented part. It has no template instances and no inline functions,
// which the linker could use in place of the instrumented ones of the code on trial.
#include "ordeal/scenario/headers_version.hpp"
#include "ordeal/scenario/trial_registration.hpp"
#include "ordeal/version.hpp"

#ifndef ORDEAL_TRIAL_NAME
#error "ordeal: this file is compiled by ordeal_add_trial() alone"
#endif

// The compiler plugin skips a module with this symbol: compiler/clang_plugin.cpp.
extern "C" [[gnu::visibility("hidden")]] const char ordeal_not_on_trial = 0;

/// The user may define this instead of scenarios.
[[gnu::weak]] void trial();

namespace {

const char inside = 0;

void run_trial(void* /*object*/, int /*thread*/) { trial(); }

// Before the constructors of the code on trial: their operations are already attributed to this library.
[[gnu::constructor(101)]] void register_module() {
    ordeal_require_same_headers("the trial '" ORDEAL_TRIAL_NAME "'", ORDEAL_VERSION_STRING, ORDEAL_ABI);
    ordeal::detail::register_source_root(ORDEAL_TRIAL_ROOT);
    ordeal::detail::register_trial_module(&inside, ORDEAL_HAS_PLUGIN != 0);
}

[[gnu::constructor]] void register_function() {
    if (&trial != nullptr) ordeal::detail::register_trial_function(ORDEAL_TRIAL_NAME, &run_trial);
}

}  // namespace
