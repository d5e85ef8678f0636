// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/byte_memory.hpp"

#include <array>
#include <optional>

namespace ordeal::fixed_answers {

/// The arguments of a system call.
using arguments = std::array<long, 6>;

/// A system call, by number, by code on trial: refused, or answered in place of the kernel; nothing: the kernel is to be
/// asked. One whose accesses nobody knows is a limit then.
[[nodiscard]] std::optional<long> system_call(byte_memory& port, const code_point& at, long number,
                                              const arguments& given);

}  // namespace ordeal::fixed_answers
