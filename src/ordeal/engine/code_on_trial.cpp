// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/code_on_trial.hpp"

#include "ordeal/scenario/require.hpp"

namespace ordeal {

namespace {

void on_failed_requirement(const char* message, const std::source_location& where) {
    port().fail(violation_kind::failed_requirement, message, sites().plain_site(where, "require"));
}

}  // namespace

void send_failed_requirements_to_port() noexcept { set_requirement_handler(on_failed_requirement); }

}  // namespace ordeal
