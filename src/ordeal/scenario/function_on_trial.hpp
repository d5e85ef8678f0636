// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/registration.hpp"

#include <string>
#include <string_view>

namespace ordeal::detail {

/// The scenario of a function that creates its threads itself, and runs on one thread, `main`: in the model or on real
/// threads, as `where` says. The subject is the part of the name before '/', and without one `trial`.
[[nodiscard]] inline scenario function_on_trial(std::string_view name, std::string_view trial,
                                                scenario_body scenario::* where,
                                                void (*run)(void* object, int thread)) {
    const auto nothing = [](void*) {};
    scenario result;
    result.name = name;
    result.subject = name.find('/') == std::string_view::npos ? trial : name.substr(0, name.find('/'));
    result.instrumented = true;
    result.threads = {"main"};
    result.*where = {.size = 1,
                     .alignment = 1,
                     .construct = nothing,
                     .run = run,
                     .finish = nothing,
                     .outcome = [](void*) { return std::string(); },
                     .destroy = nothing,
                     .is_program = true};
    return result;
}

}  // namespace ordeal::detail
