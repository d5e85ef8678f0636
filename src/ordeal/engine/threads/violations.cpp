// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/threads/violations.hpp"

#include "ordeal/scenario/history.hpp"
#include "ordeal/scenario/require.hpp"

#include <unistd.h>

#include <atomic>
#include <mutex>

namespace ordeal::detail {

namespace {

std::mutex mutex;
std::optional<thread_violation> first;  // guarded by mutex
std::atomic<bool> any{false};

thread_local std::atomic<bool>* ended_by_assumption = nullptr;

void on_false_assumption(const std::source_location& /*where*/) {
    // order: relaxed: it must order no thread of the scenario; whoever finishes the object has joined the thread.
    if (ended_by_assumption != nullptr) ended_by_assumption->store(true, std::memory_order_relaxed);
}

void on_failed_requirement(const char* message, const std::source_location& where) {
    // order: relaxed: as above; a requirement that fails at the same time may be judged or not.
    if (ended_by_assumption != nullptr && ended_by_assumption->load(std::memory_order_relaxed)) return;
    stop_with_violation(violation_kind::failed_requirement, std::string(message) + (*message == '\0' ? "" : " ") + "(" +
                                                                where.file_name() + ":" + std::to_string(where.line()) +
                                                                ")");
}

[[noreturn]] void on_terminate() {
    if (std::current_exception() != nullptr) {
        guarded_on_thread([] { std::rethrow_exception(std::current_exception()); });
    }
    stop_with_violation(violation_kind::uncaught_exception, "std::terminate was called");
}

}  // namespace

void note_violation(violation_kind kind, const std::string& message) {
    const std::lock_guard lock(mutex);
    if (!first) first = thread_violation{kind, message};
    // order: release -> violation_found: nothing but the flag; the mutex hands over what was noted.
    any.store(true, std::memory_order_release);
}

// order: acquire <- note_violation: as there.
bool violation_found() noexcept { return any.load(std::memory_order_acquire); }

std::optional<thread_violation> first_violation() {
    const std::lock_guard lock(mutex);
    return first;
}

void stop_with_violation(violation_kind kind, const std::string& message) {
    note_violation(kind, message);
    for (;;) ::pause();
}

void note_assumptions_in(std::atomic<bool>* flag) noexcept { ended_by_assumption = flag; }

void install_violation_handlers() {
    set_requirement_handler(on_failed_requirement);
    set_assumption_handler(on_false_assumption);
    set_history_handlers({});  // of a model that ran in this process before
    std::set_terminate(on_terminate);
}

}  // namespace ordeal::detail
