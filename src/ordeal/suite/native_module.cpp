// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of each program of a suite that runs the code as it ships, on real threads: registers the user's trial() in
// place of scenarios.
#include "ordeal/scenario/registration.hpp"

#include <string>

#ifndef ORDEAL_TRIAL_NAME
#error "ordeal: this file is compiled by ordeal_add_suite() alone"
#endif

/// The user may define this instead of scenarios.
[[gnu::weak]] void trial();

namespace {

struct registrar {
    registrar() {
        if (&trial == nullptr) return;
        const auto nothing = [](void*) {};
        ordeal::scenario value;
        value.name = value.subject = ORDEAL_TRIAL_NAME;
        value.instrumented = true;
        value.threads = {"main"};
        value.real = {.size = 1,
                      .alignment = 1,
                      .construct = nothing,
                      .run = [](void* /*object*/, int /*thread*/) { trial(); },
                      .finish = nothing,
                      .outcome = [](void*) { return std::string(); },
                      .destroy = nothing,
                      .is_program = true};
        ordeal::register_scenario(value);
    }
};

const registrar of_trial_function;

}  // namespace
