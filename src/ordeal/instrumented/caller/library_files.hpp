// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <string>
#include <string_view>

namespace ordeal::detail {

/// Whether a file, named as in sites, belongs to the standard library, the compiler, the C library or a test framework;
/// or is one of our few files that stand for it: the policy, and replacements of standard headers.
[[nodiscard]] bool is_library_file(std::string_view file);

/// Whether operations of this kind in this library file were called by name by the user: those of the atomic types
/// themselves.
[[nodiscard]] bool is_atomic_type(std::string_view file, role what);

/// The part of the library that a file implements, in the user's words: "std::shared_ptr", else the name of the file.
/// Empty for files that many parts share.
[[nodiscard]] std::string library_part(std::string_view file);

/// Whether the file implements what a program uses to synchronise its threads: an atomic, a mutex. A std::future uses
/// those on its own account.
[[nodiscard]] bool is_for_synchronisation(std::string_view file, role what);

}  // namespace ordeal::detail
