// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Code on trial has read this environment variable, or called a function that does.
void note_environment_read(std::string_view name) noexcept;

/// The variables that code on trial has read so far, in this process, its ancestors and their descendants: sorted, each
/// once. "*" if there are more than are kept.
[[nodiscard]] std::vector<std::string> environment_reads();

}  // namespace ordeal::detail
