// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordeal {

class instrumented_runtime;
class snapshot;
struct code_location;

/// What the C library keeps between calls of functions that are not safe to call from several threads: POSIX and C say so
/// of each of them. Where two threads use the same one unordered, it is a data race on this.
enum class library_state : std::uint8_t {
    environment,
    time_buffer,
    token,
    error_text,
    signal_text,
    locale,
    // These threads may use at once: see serialise_access_to().
    handlers,
    files,
};

namespace detail {

// Among the addresses on trial, where nothing is ever mapped.
inline constexpr std::uintptr_t first_library_state = 0x23ff'0000'0000;
inline constexpr std::array<std::string_view, 8> library_state_names{
    "the environment",           "the result of localtime, gmtime, ctime and asctime",
    "the state of strtok",       "the result of strerror",
    "the result of strsignal",   "the locale",
    "the handlers of libstdc++", "the files of the process"};

}  // namespace detail

[[nodiscard]] inline const volatile void* address_of(library_state which) noexcept {
    return reinterpret_cast<const volatile void*>(detail::first_library_state +
                                                  64 * static_cast<std::uintptr_t>(which));
}

/// "the environment", for an address of such; else empty.
[[nodiscard]] inline std::string_view name_of_library_state(std::uintptr_t address) noexcept {
    const std::uintptr_t index = (address - detail::first_library_state) / 64;
    return index < detail::library_state_names.size() ? detail::library_state_names[index] : "";
}

/// The running thread's call is about to use it. Calls of all threads have one order, and every such order is explored.
void serialise_access_to(instrumented_runtime& runtime, library_state which, const code_location& at);

/// All as it was before the last execution: variables of the environment, and no string is being taken apart.
void begin_execution_of_library() noexcept;

/// What it keeps, of the execution that runs. Gives up where that has changed something of the process.
void save_library(snapshot& to);
void restore_library(snapshot& from);
/// A hash of it.
[[nodiscard]] std::uint64_t fingerprint_of_library() noexcept;

}  // namespace ordeal
