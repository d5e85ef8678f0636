// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/execution/code_on_trial.hpp"

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/scenario/history.hpp"
#include "ordeal/scenario/require.hpp"

#include <string>

namespace ordeal::detail {

namespace {

void on_failed_requirement(const char* message, const std::source_location& where) {
    current_runtime().fail(violation_kind::failed_requirement, message, sites().plain_site(where, "require"));
}

void on_false_assumption(const std::source_location& where) {
    current_runtime().end_by_assumption(sites().plain_site(where, "assume"));
}

}  // namespace

void require_no_leaks() {
    std::string leaks;
    {
        const harness_scope harness;
        leaks = heap::describe_leaks();
        if (!leaks.empty() && active_instrumented_runtime != nullptr)
            leaks = heap::describe_leaks(instrumented().written_globals());
    }
    if (!leaks.empty()) current_runtime().fail(violation_kind::leak, leaks, no_site);
}

void send_failed_requirements_to_runtime() noexcept {
    set_requirement_handler(on_failed_requirement);
    set_assumption_handler(on_false_assumption);
    set_history_handlers(
        {.now = []() noexcept { return current_runtime().now(); },
         .happens_before = [](moment earlier,
                              moment later) noexcept { return current_runtime().happens_before(earlier, later); }});
}

}  // namespace ordeal::detail
