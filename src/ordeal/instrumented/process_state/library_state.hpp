// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

class instrumented_runtime;
class snapshot;
struct code_location;

/// State that the C library keeps between calls of functions that are not thread-safe, as POSIX and C say of each.
/// Unordered use of one of them by two threads is a data race on it.
enum class library_state : std::uint8_t {
    environment,
    token,
    error_text,
    signal_text,
    locale,
    // Threads may use these concurrently: see serialise_access_to().
    handlers,
    files,
    signal_handlers,
};

// Within the addresses on trial, where nothing is ever mapped.
inline constexpr std::uintptr_t first_library_state = 0x23ff'0000'0000;
inline constexpr std::array<std::string_view, 8> library_state_names{
    "the environment", "the state of strtok",       "the result of strerror",   "the result of strsignal",
    "the locale",      "the handlers of libstdc++", "the files of the process", "the signal handlers"};

[[nodiscard]] inline const volatile void* address_of(library_state which) noexcept {
    return reinterpret_cast<const volatile void*>(first_library_state + 64 * static_cast<std::uintptr_t>(which));
}

/// The same for a key of thread-specific data (pthread_key_create): one of the C library, or of an execution, which has
/// as many. Creating and deleting one are writes.
inline constexpr std::uintptr_t first_thread_key = first_library_state + 0x1000;
[[nodiscard]] inline const volatile void* address_of_key(unsigned key) noexcept {
    return reinterpret_cast<const volatile void*>(first_thread_key + key);
}

/// What localtime, gmtime, ctime and asctime return to code on trial: among its globals, so that its accesses are
/// checked, and each execution has them as they were. Each of the four functions may overwrite both (POSIX, asctime).
struct library_results {
    std::tm time;
    std::array<char, 128> text;  ///< of ctime and asctime; for years of up to four digits 26 bytes are used
};
inline library_results* results_of_library = nullptr;
/// Before the first search. Throws std::bad_alloc if there is no memory for them.
void reserve_library_results();

/// "the environment", for an address of such state; else empty.
[[nodiscard]] inline std::string_view name_of_library_state(std::uintptr_t address) noexcept {
    if (address - first_thread_key < std::uintptr_t{2} * PTHREAD_KEYS_MAX) return "a key of thread-specific data";
    if (results_of_library != nullptr &&
        address - reinterpret_cast<std::uintptr_t>(results_of_library) < sizeof(library_results))
        return "the result of localtime, gmtime, ctime and asctime";
    const std::uintptr_t index = (address - first_library_state) / 64;
    return index < library_state_names.size() ? library_state_names[index] : "";
}

/// The running thread's call is about to use the state. Calls of all threads are totally ordered, and every order is
/// explored.
void serialise_access_to(instrumented_runtime& runtime, library_state which, const code_location& at);

/// Restores the state before the last execution: environment variables, and no strtok in progress.
void begin_execution_of_library() noexcept;

/// Saves this state for the current execution. Incomplete if the execution has changed the process.
void save_library(snapshot& to);
void restore_library(snapshot& from);
/// A hash of that state.
[[nodiscard]] std::uint64_t fingerprint_of_library() noexcept;

/// Code on trial has read this environment variable, or called a function that does.
void note_environment_read(std::string_view name) noexcept;

/// The variables that code on trial has read so far, in this process, its ancestors and their descendants: sorted, each
/// once. "*" if there are more than are kept.
[[nodiscard]] std::vector<std::string> environment_reads();

}  // namespace ordeal::detail
