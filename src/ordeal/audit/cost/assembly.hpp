// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/processors/target.hpp"

#include <map>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// The functions of an assembler file written by clang, by name, each as its instructions: "lwsync; std r, 0(r)".
///
/// Two functions have the same text if and only if they have the same instructions, whatever registers they use:
///   - a register is `r`, on AArch64 `x` or `w`, a condition register of POWER `cr`; a register that is always zero
///     keeps its name;
///   - a local label is `back` if it is before the branch, else `on`;
///   - returns and moves between registers are left out: the surrounding code decides those.
///
/// Throws std::runtime_error for a call: then the operation is not in these instructions.
[[nodiscard]] std::map<std::string, std::string> functions_in(target of, std::string_view assembly);

}  // namespace ordeal::detail
