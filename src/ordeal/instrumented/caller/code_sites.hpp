// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/trace.hpp"
#include "ordeal/symbols/debug_info.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The site of an operation of compiled code: the innermost source location outside the standard library, through
/// inlining and calls. Each code address is resolved once; later lookups take a few nanoseconds, somewhat more if the
/// caller determines the site.
///
/// The user cannot change an operation inside the library, such as in a shared_ptr or a future: its site is not atomic,
/// and its operation is named "fetch_sub in std::shared_ptr". One thread at a time.
[[nodiscard]] site_id atomic_code_site(const code_location& at, role what, order declared);

/// The same for a non-atomic access, a lock, a call.
[[nodiscard]] site_id plain_code_site(const code_location& at);

/// Whether the code on trial that resumes at this address comes from a header of the standard library.
[[nodiscard]] bool is_library_code(std::uintptr_t address);

/// Whether a function of this bare name is among those of the standard library between the call and its user.
[[nodiscard]] bool is_called_by_library_function(const code_location& at, std::string_view name);

/// Whether what is called there is called by code that was not compiled for the trial, or by a test framework: not by
/// its user, nor by the standard library on its user's behalf. Code for the trial has debug information, unless that
/// was stripped off all of it: then no.
[[nodiscard]] bool is_called_by_framework(const code_location& at);

/// Whether the address is in the frame of a function on the call stack that was not compiled for the trial, as far as
/// debug information says.
[[nodiscard]] bool is_in_unchecked_frame(std::uintptr_t address, const code_location& at);

/// The functions on trial on the call stack at this point, innermost first, without those of the standard library.
[[nodiscard]] std::vector<source_frame> call_stack(const code_location& at);

/// The running thread's call stack, as in instrumented_front_end::call_stack().
[[nodiscard]] std::vector<call_frame> running_functions();

/// "hits" for an address in a global of that name, "hits+8" for one in its middle; empty if it is in none.
[[nodiscard]] std::string name_of_global(std::uintptr_t address);

}  // namespace ordeal::detail
