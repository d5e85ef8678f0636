// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"

#include <atomic>
#include <exception>
#include <optional>
#include <string>

namespace ordeal::detail {

/// The first violation found by a thread of this process.
struct thread_violation {
    violation_kind kind = violation_kind::crash;
    std::string message;
};

/// Records a violation, unless one was recorded before.
void note_violation(violation_kind kind, const std::string& message);
[[nodiscard]] bool violation_found() noexcept;
[[nodiscard]] std::optional<thread_violation> first_violation();

/// Records a violation and stops the calling thread for good, as it cannot continue.
[[noreturn]] void stop_with_violation(violation_kind kind, const std::string& message);

/// From now on failed requirements and std::terminate are violations of the thread in which they occur.
void install_violation_handlers();

/// Where this thread notes from now on that an assumption does not hold. Once it is noted, no requirement fails.
void note_assumptions_in(std::atomic<bool>* flag) noexcept;

/// Runs code on trial; an exception that escapes is a violation.
template <class Call>
void guarded_on_thread(Call call) {
    try {
        call();
    } catch (const std::exception& error) {
        stop_with_violation(violation_kind::uncaught_exception, error.what());
    } catch (...) {
        stop_with_violation(violation_kind::uncaught_exception, "not derived from std::exception");
    }
}

}  // namespace ordeal::detail
