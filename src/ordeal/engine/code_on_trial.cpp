// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/code_on_trial.hpp"

#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/byte_memory.hpp"
#include "ordeal/model/heap.hpp"
#include "ordeal/scenario/require.hpp"

#include <string>

namespace ordeal {

namespace {

void on_failed_requirement(const char* message, const std::source_location& where) {
    port().fail(violation_kind::failed_requirement, message, sites().plain_site(where, "require"));
}

}  // namespace

void require_no_leaks() {
    std::string leaks;
    {
        const harness_scope harness;
        leaks = heap::describe_leaks();
        if (!leaks.empty() && detail::active_bytes != nullptr)
            leaks = heap::describe_leaks(instrumented().written_globals());
    }
    if (!leaks.empty()) port().fail(violation_kind::leak, leaks, no_site);
}

void send_failed_requirements_to_port() noexcept { set_requirement_handler(on_failed_requirement); }

}  // namespace ordeal
