// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// Code on trial has asked for this variable of the environment, or has called what asks for it.
void note_environment_read(std::string_view name) noexcept;

/// The variables that code on trial has asked for so far, in this process, in those that it was forked from and in those forked
/// from these: sorted, each once. "*" where there are more than are kept.
[[nodiscard]] std::vector<std::string> environment_reads();

}  // namespace ordeal
