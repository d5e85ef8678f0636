// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/trial_function.hpp"

#include "ordeal/scenario/scenario.hpp"

namespace ordeal::detail {

void register_trial_function(const char* name, void (*run)(void* object, int thread)) {
    const auto nothing = [](void*) {};
    scenario value;
    value.name = name;
    value.subject = name;
    value.instrumented = true;
    value.threads = {"main"};
    value.model = {.size = 1,
                   .alignment = 1,
                   .construct = nothing,
                   .run = run,
                   .finish = nothing,
                   .outcome = [](void*) { return std::string(); },
                   .destroy = nothing,
                   .is_program = true};
    register_scenario(value);
}

}  // namespace ordeal::detail
