// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"

#include <exception>

namespace ordeal::detail {

/// From now on a failed requirement ends the running execution, through the runtime.
void send_failed_requirements_to_port() noexcept;

/// Fails, through the runtime, if memory allocated by the execution was never freed.
void require_no_leaks();

/// Runs code on trial; an exception that escapes is a violation.
template <class Call>
void guarded(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        current_runtime().fail(violation_kind::uncaught_exception, error.what(), no_site);
    } catch (...) {
        current_runtime().fail(violation_kind::uncaught_exception, "not derived from std::exception", no_site);
    }
}

}  // namespace ordeal::detail
