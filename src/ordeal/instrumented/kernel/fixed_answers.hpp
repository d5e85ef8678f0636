// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"

#include <array>
#include <optional>

namespace ordeal::detail::fixed_answers {

/// The arguments of a system call.
using arguments = std::array<long, 6>;

/// A system call by code on trial, by number: refused, or answered in place of the kernel; nothing: the kernel should
/// be called. It is then a limit if its accesses are unknown.
[[nodiscard]] std::optional<long> system_call(instrumented_runtime& runtime, const code_location& at, long number,
                                              const arguments& given);

}  // namespace ordeal::detail::fixed_answers
