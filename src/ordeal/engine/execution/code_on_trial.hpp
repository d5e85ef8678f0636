// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"

#include <exception>

namespace ordeal {

/// From now on a failed requirement ends the execution that runs, by the runtime.
void send_failed_requirements_to_port() noexcept;

/// Fails, by the runtime, if anything that the execution allocated was never freed.
void require_no_leaks();

/// Runs code on trial; an exception that leaves it is a violation.
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

}  // namespace ordeal
