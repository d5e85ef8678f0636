// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/cost/target.hpp"

#include <map>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// The functions of a file in assembler as clang writes it, by name, each as its instructions: "lwsync; std r, 0(r)".
///
/// Two functions have the same text exactly when they have the same instructions, whatever registers they use:
///   - a register is `r`, on AArch64 `x` or `w`, a condition register of POWER `cr`; a register that is always zero keeps
///     its name;
///   - a local label is `back` when it stands before the branch, else `on`;
///   - returns are left out, and moves from register to register: the code around an operation decides those.
///
/// Throws std::runtime_error for a call: then the operation is not in these instructions.
[[nodiscard]] std::map<std::string, std::string> functions_in(target of, std::string_view assembly);

}  // namespace ordeal::detail
