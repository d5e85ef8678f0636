// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <string>
#include <string_view>

namespace ordeal {

/// Whether a file, named as sites have it, is the standard library's, the compiler's or the C library's; or one of the
/// few of ours that stand for it: the policy, and what is put in place of a header of the standard library.
[[nodiscard]] bool is_library_file(std::string_view file);

/// Whether operations of this kind in this library file are what the caller asked for by name: those of the atomic types
/// themselves.
[[nodiscard]] bool is_atomic_type(std::string_view file, role what);

/// What part of the library a file is, in words for its user: "std::shared_ptr", else the name of the file. Empty for what
/// many parts have in common.
[[nodiscard]] std::string library_part(std::string_view file);

}  // namespace ordeal
