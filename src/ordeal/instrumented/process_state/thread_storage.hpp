// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::thread_storage {

// The thread-local variables of the code on trial: each thread of the model has its own, at addresses that depend on
// the variable and the thread alone. They are initialised at their first use by the thread in an execution.

inline constexpr std::uintptr_t base = 0x2300'0000'0000;
inline constexpr std::size_t size_of_thread = std::size_t{256} << 10;

[[nodiscard]] inline memory_range region() noexcept { return {base, thread_slots * size_of_thread}; }

/// The variable at this address.
[[nodiscard]] std::optional<thread_variable_place> variable_at(std::uintptr_t address) noexcept;

/// Assigns an address to each variable. Before the first execution.
void begin_search();
/// Forgets all values.
void begin_execution() noexcept;
/// Forgets those of one thread, as a new one has its id.
void begin_thread(int thread) noexcept;
/// Save and restore the variables of the current execution.
void save(snapshot& to);
void restore(snapshot& from);

/// A hash of the values of all threads.
[[nodiscard]] std::uint64_t fingerprint() noexcept;
/// Whether they may hold a point in time, see virtual_time.
[[nodiscard]] bool holds_time() noexcept;

/// What std::call_once passes through the library's thread-local variables.
struct once_call {
    void* callable = nullptr;
    void (*call)() = nullptr;
};

/// As set by the running thread of the model.
[[nodiscard]] once_call current_once_call(instrumented_runtime& runtime);

}  // namespace ordeal::detail::thread_storage
