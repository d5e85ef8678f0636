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
#include <vector>

namespace ordeal {

/// The site of an operation of compiled code: the innermost place in the source that is not the standard library's,
/// through inlining and through calls. One address of code is always looked up once; from then on it costs a few
/// nanoseconds, some more where only the caller decides.
///
/// An operation of the library's own, inside a shared_ptr or a future, is not one that the user could change: its site is
/// not atomic, and its operation is named "fetch_sub in std::shared_ptr". One thread at a time.
[[nodiscard]] site_id atomic_code_site(const code_location& at, role what, order declared);

/// The same for a plain access, a lock, a call.
[[nodiscard]] site_id plain_code_site(const code_location& at);

/// Whether the code on trial that goes on at this address is the standard library's own, from a header.
[[nodiscard]] bool is_library_code(std::uintptr_t address);

/// The functions on trial that led to this point, innermost first, without those of the standard library.
[[nodiscard]] std::vector<source_frame> call_stack(const code_location& at);

/// The functions on trial that the running thread has called, as instrumented_front_end::call_stack() has them.
[[nodiscard]] std::vector<call_frame> running_functions();

/// "hits" for an address in a global of that name, "hits+8" for one in its middle; empty when it is in none.
[[nodiscard]] std::string name_of_global(std::uintptr_t address);

}  // namespace ordeal
