// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of each program of a suite that runs the code as it ships, on real threads: registers the user's trial() in
// place of scenarios.
#include "ordeal/scenario/headers_version.hpp"
#include "ordeal/trial.h"
#include "ordeal/version.hpp"

#ifndef ORDEAL_TRIAL_NAME
#error "ordeal: this file is compiled by ordeal_add_suite() alone"
#endif

/// The user may define one of these instead of scenarios, in C++ or in C.
[[gnu::weak]] void trial();
extern "C" [[gnu::weak]] void ordeal_c_trial() __asm__("trial");

namespace {

[[gnu::constructor]] void register_functions() {
    constexpr auto name = ORDEAL_TRIAL_NAME;
    ordeal_require_same_headers("the suite '" ORDEAL_TRIAL_NAME "'", ORDEAL_VERSION_STRING, ORDEAL_ABI);
    if (&trial != nullptr) ordeal_register_native_trial(name, name, [](void*, int) { trial(); });
    if (&ordeal_c_trial != nullptr) ordeal_register_native_trial(name, name, [](void*, int) { ordeal_c_trial(); });
}

}  // namespace
