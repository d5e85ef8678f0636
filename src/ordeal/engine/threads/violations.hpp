// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"

#include <exception>
#include <optional>
#include <string>

namespace ordeal {

/// The first violation that a thread of this process met.
struct thread_violation {
    violation_kind kind = violation_kind::crash;
    std::string message;
};

/// Notes a violation, unless one was noted before.
void note_violation(violation_kind kind, const std::string& message);
[[nodiscard]] bool violation_found() noexcept;
[[nodiscard]] std::optional<thread_violation> first_violation();

/// Notes a violation and stops the calling thread for good: what it was running cannot go on.
[[noreturn]] void stop_with_violation(violation_kind kind, const std::string& message);

/// From now on failed requirements and std::terminate are violations of the thread that meets them.
void install_violation_handlers();

/// Runs code on trial; an exception that leaves it is a violation.
template <class Call>
void guarded(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        stop_with_violation(violation_kind::uncaught_exception, error.what());
    } catch (...) {
        stop_with_violation(violation_kind::uncaught_exception, "not derived from std::exception");
    }
}

}  // namespace ordeal
